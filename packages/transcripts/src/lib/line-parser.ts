import { parseJson } from "./parse-json.ts";
import type { LineRecord, ReadReport } from "./transcript-reader.ts";

/** A record, and whether its line stands byte for byte as the one before, as a crash between two writes leaves it. */
export interface ParsedLine extends LineRecord {
  readonly isDoubled: boolean;
}

/** Turns the lines of a file, given in order, into records; `undefined` for a line that gives none. */
export type LineParser = (line: Buffer) => ParsedLine | undefined;

/** Reports broken lines. A doubled line has the position of the first. */
export function createLineParser(report: ReadReport): LineParser {
  let line = 0;
  let ordinal = -1;
  let previous: Buffer | undefined;
  return (bytes) => {
    line += 1;
    if (bytes.length === 0) return undefined;
    const parsed = parseJson(bytes);
    if (parsed.kind === "blank") return undefined;
    const isDoubled = previous?.equals(bytes) === true;
    previous = bytes;
    if (!isDoubled) ordinal += 1;
    if (parsed.kind === "broken") {
      report.note({ line, problem: parsed.problem, action: "set aside" });
      return undefined;
    }
    if (parsed.warning) report.note({ line, problem: parsed.warning, action: "read as U+FFFD" });
    return { value: parsed.value, line, ordinal, isDoubled };
  };
}

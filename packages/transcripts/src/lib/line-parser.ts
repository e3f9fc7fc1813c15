import { parseJson } from "./parse-json.ts";
import type { LineRecord, ReadReport } from "./transcript-reader.ts";

/** Turns the lines of a file, given in order, into records; `undefined` for a line that gives none. */
export type LineParser = (line: Buffer) => LineRecord | undefined;

/**
 * Reports broken lines and lines that stand twice in a row byte for byte, as a crash between two writes leaves them.
 */
export function createLineParser(report: ReadReport): LineParser {
  let line = 0;
  let ordinal = -1;
  let previous: Buffer | undefined;
  return (bytes) => {
    line += 1;
    if (bytes.length === 0) return undefined;
    if (previous?.equals(bytes)) {
      report.note({ line, problem: "the same bytes as the line before", action: "joined with it" });
      return undefined;
    }
    const parsed = parseJson(bytes);
    if (parsed.kind === "blank") return undefined;
    previous = bytes;
    ordinal += 1;
    if (parsed.kind === "broken") {
      report.note({ line, problem: parsed.problem, action: "set aside" });
      return undefined;
    }
    if (parsed.warning) report.note({ line, problem: parsed.warning, action: "read as U+FFFD" });
    return { value: parsed.value, line, ordinal };
  };
}

import type { ReadDiagnostic } from "./transcript-file.ts";
import type { ReadReport } from "./transcript-reader.ts";

/** More notes than this say nothing new; the rest is counted. */
const maxNotes = 1000;

export interface CollectedReport extends ReadReport {
  diagnostics(): readonly ReadDiagnostic[];
}

export function createReadReport(): CollectedReport {
  const notes: ReadDiagnostic[] = [];
  const ignored = new Map<string, { count: number; line: number | undefined }>();
  let unlisted = 0;
  return {
    note(diagnostic) {
      if (notes.length < maxNotes) notes.push(diagnostic);
      else unlisted += 1;
    },
    ignore(type, line) {
      const seen = ignored.get(type);
      if (seen) seen.count += 1;
      else if (ignored.size < maxNotes) ignored.set(type, { count: 1, line });
      else unlisted += 1;
    },
    diagnostics() {
      const records = [...ignored].map(([type, { count, line }]) => ({
        ...(line === undefined ? {} : { line }),
        problem: `${count} record${count === 1 ? "" : "s"} of the unknown type ${JSON.stringify(type.slice(0, 80))}`,
        action: "ignored",
      }));
      const rest = unlisted === 0 ? [] : [{ problem: `${unlisted} more problems`, action: "not listed" }];
      return [...notes, ...records, ...rest];
    },
  };
}

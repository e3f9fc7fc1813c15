import { TranscriptError } from "./transcript-error.ts";
import type { DocumentReader, LineReader, TranscriptReader } from "./transcript-reader.ts";

/** The first reader that takes the records for its own. */
export function findLineReader(
  readers: readonly TranscriptReader[],
  records: readonly unknown[],
): LineReader | undefined {
  if (records.length === 0) return undefined;
  return readers.find((reader): reader is LineReader => {
    return reader.layout === "lines" && reader.refuse(records) === undefined;
  });
}

/** The first reader that takes the value for its own. */
export function findDocumentReader(
  readers: readonly TranscriptReader[],
  document: unknown,
): DocumentReader | undefined {
  return readers.find((reader): reader is DocumentReader => {
    return reader.layout === "document" && reader.refuse(document) === undefined;
  });
}

/** The error for JSON that no reader takes: every format that was tried, and why each was refused. */
export function unknownFormat(
  name: string,
  readers: readonly TranscriptReader[],
  records: readonly unknown[],
): TranscriptError {
  const refusals = readers.map((reader) => ({
    format: reader.format,
    reason: (reader.layout === "lines" ? reader.refuse(records) : reader.refuse(records[0])) ?? "not as a whole",
  }));
  const message = `${name}: JSON of no known format (${refusals.length} were tried)`;
  return new TranscriptError("unknown_format", message, { refusals });
}

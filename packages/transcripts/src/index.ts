export { knownFormats } from "./lib/built-in-readers.ts";
export type { ReadProgress, TranscriptInput } from "./lib/open-source.ts";
export { type ReadTranscriptOptions, readTranscript } from "./lib/read-transcript.ts";
export {
  type FormatRefusal,
  TranscriptError,
  type TranscriptErrorCode,
  type TranscriptErrorOptions,
} from "./lib/transcript-error.ts";
export type { CompactionRecord, Conversation, ReadDiagnostic, TranscriptFile } from "./lib/transcript-file.ts";
export type {
  DocumentReader,
  LineReader,
  LineReading,
  LineRecord,
  ReadReport,
  TranscriptReader,
} from "./lib/transcript-reader.ts";

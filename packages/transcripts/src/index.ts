export type { CompactionRecord, Conversation, ReadDiagnostic, TranscriptFile } from "./lib/transcript-file.ts";

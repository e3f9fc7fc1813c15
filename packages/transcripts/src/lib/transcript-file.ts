import type { Message } from "@holdfast/message-schema";

/** What a tool stored about a compaction, in words that cover all of them. Nothing in it is invented. */
export interface CompactionRecord {
  /** Number of messages of the conversation that stand before the record. */
  readonly at: number;
  /** `null` when the file holds no readable summary. */
  readonly summary: string | null;
  /** What stands in the place of an unreadable summary, as found. */
  readonly opaque?: unknown;
  /** Index of the first message the tool went on sending. */
  readonly keptFrom?: number | undefined;
  readonly replaces: "prefix" | "all" | "tool-outputs";
  /** With `tool-outputs`: the calls whose results were cleared for the model. */
  readonly toolCallIds?: readonly string[] | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  readonly trigger?: string | undefined;
  readonly files?: { readonly read: readonly string[]; readonly modified: readonly string[] } | undefined;
}

export interface Conversation {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly compactions: readonly CompactionRecord[];
}

/** Something set aside while reading: where it stands, what it is, what was done. */
export interface ReadDiagnostic {
  /** 1-based line of a line-based file. */
  readonly line?: number | undefined;
  readonly problem: string;
  readonly action: string;
}

export interface TranscriptFile {
  readonly format: string;
  /** The main conversation first. Never empty. */
  readonly conversations: readonly Conversation[];
  readonly diagnostics: readonly ReadDiagnostic[];
}

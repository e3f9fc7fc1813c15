import type { Message } from "@holdfast/message-schema";
import type { Checkpoint } from "./checkpoint.ts";

/** What another tool stored about a compaction: the neutral record that transcript readers return. */
export interface ImportedCompaction {
  /** Number of messages of the conversation that stand before the record. */
  readonly at: number;
  /** `null` when the summary cannot be read. */
  readonly summary: string | null;
  readonly opaque?: unknown;
  /** Index of the first message the tool went on sending. */
  readonly keptFrom?: number | undefined;
  readonly replaces: "prefix" | "all" | "tool-outputs";
  /** With `tool-outputs`: the calls whose results were cleared for the model. */
  readonly toolCallIds?: readonly string[] | undefined;
  /** Ids of the messages the summary replaced, where the tool lists them instead of a position. */
  readonly replacedMessageIds?: readonly string[] | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  readonly trigger?: string | undefined;
  readonly files?: { readonly read: readonly string[]; readonly modified: readonly string[] } | undefined;
}

export interface ImportSource {
  readonly id: string;
  readonly messages: readonly Message[];
}

export interface ImportOptions {
  /** The checkpoint made of the compaction before this one. Default: none. */
  readonly previous?: Checkpoint | undefined;
}

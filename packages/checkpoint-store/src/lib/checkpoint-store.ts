import type { Checkpoint } from "@holdfast/checkpoint-normalizer";

export type AppendResult =
  | { readonly ok: true; readonly generation: number }
  | { readonly ok: false; readonly reason: "conflict" | "boundary_gone"; readonly newest: Checkpoint | undefined };

export interface AppendOptions {
  /** Generation of the newest checkpoint the caller knows; 0 for none. */
  readonly expectedGeneration: number;
  /**
   * Whether the record's boundary is still on the active branch of the conversation. Asked once, at the last moment
   * before the record is written; `false` writes nothing and is answered with `boundary_gone`. Default: not asked.
   */
  readonly isBoundaryPresent?: (() => boolean) | undefined;
}

/**
 * A durable chain of checkpoints for each conversation. Append-only: nothing is deleted, ever. What is stored is what
 * JSON carries; what is returned belongs to the caller.
 */
export interface CheckpointStore {
  /**
   * Resolves once the record is durable, or with `conflict` when the newest generation is not the expected one: then
   * somebody else was faster and the caller reads again. Rejects with a `TypeError` for a record that is none or whose
   * generation is not `expectedGeneration + 1`, and with a `CheckpointStoreError` when writing failed: then the chain
   * holds either the whole record or nothing of it, and the caller reads again too.
   */
  append(conversationId: string, checkpoint: Checkpoint, options: AppendOptions): Promise<AppendResult>;
  /** The whole chain, oldest first; empty for an unknown conversation. Records are as stored: parse them. */
  list(conversationId: string): Promise<readonly unknown[]>;
}

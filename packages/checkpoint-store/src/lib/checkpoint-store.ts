import type { Checkpoint } from "@holdfast/checkpoint-normalizer";

export type AppendResult =
  | { readonly ok: true; readonly generation: number }
  | { readonly ok: false; readonly reason: "conflict" | "boundary_gone"; readonly newest: Checkpoint | undefined };

export interface AppendOptions {
  /** Generation of the newest checkpoint the caller knows; 0 for none. */
  readonly expectedGeneration: number;
}

/** A durable chain of checkpoints for each conversation. Append-only: nothing is deleted, ever. */
export interface CheckpointStore {
  append(conversationId: string, checkpoint: Checkpoint, options: AppendOptions): Promise<AppendResult>;
  /** The whole chain, oldest first; empty for an unknown conversation. */
  list(conversationId: string): Promise<readonly unknown[]>;
}

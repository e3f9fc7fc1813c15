import type { Message } from "@holdfast/message-schema";
import type { Checkpoint } from "./checkpoint.ts";

/** What the model context is made of. */
export interface ContextSource {
  /** Every message of the conversation, leading system messages included or not. */
  readonly transcript: readonly Message[];
  /** The record that speaks for it, as `selectCheckpoint` returns it. */
  readonly checkpoint?: Checkpoint | undefined;
}

/** Position of the checkpoint's boundary; -1 when there is none. Looked for from the end, where it stands. */
export function boundaryIndexOf({ transcript, checkpoint }: ContextSource): number {
  return checkpoint === undefined ? -1 : transcript.findLastIndex(({ id }) => id === checkpoint.throughMessageId);
}

/** Position of the first message that neither the boundary hides nor is a leading system message. */
export function firstIndexBehind(boundaryIndex: number, transcript: readonly Message[]): number {
  const first = boundaryIndex + 1;
  const leading = transcript.findIndex(({ role }) => role !== "system");
  return Math.max(first, leading < 0 ? transcript.length : leading);
}

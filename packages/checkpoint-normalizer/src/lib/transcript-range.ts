import type { Message } from "@holdfast/message-schema";
import type { Checkpoint } from "./checkpoint.ts";
import { normalizeCheckpoint } from "./normalize-checkpoint.ts";

/** What the model context is made of. */
export interface ContextSource {
  /** Every message of the conversation, with or without its leading system messages. */
  readonly transcript: readonly Message[];
  /** The record that speaks for it, as `selectCheckpoint` returns it. */
  readonly checkpoint?: Checkpoint | undefined;
}

/** The messages of a conversation that are not behind its checkpoint's summary, as stored. */
export interface LiveMessages {
  /** The replayed tail; empty without a checkpoint. */
  readonly tail: readonly Message[];
  /** The transcript behind the boundary. */
  readonly newer: readonly Message[];
  /** Whether the checkpoint's boundary is in the transcript; without one nothing of it counts. */
  readonly hasBoundary: boolean;
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

export function liveMessages(source: ContextSource): LiveMessages {
  const { transcript, checkpoint } = source;
  const boundaryIndex = boundaryIndexOf(source);
  const newer = transcript.slice(firstIndexBehind(boundaryIndex, transcript));
  if (checkpoint === undefined || boundaryIndex < 0) return { tail: [], newer, hasBoundary: false };
  // Normalized here as well, so that a record straight from its maker gives the bytes that a restart would give.
  const { retainedTail } = normalizeCheckpoint(checkpoint).checkpoint;
  const tailIds = new Set(retainedTail.map(({ id }) => id));
  const repeated = new Set(newer.filter(({ id }) => tailIds.has(id)).map(({ id }) => id));
  // A damaged boundary can lie before messages of the tail: each message is sent once, from the transcript.
  const tail = repeated.size === 0 ? retainedTail : retainedTail.filter(({ id }) => !repeated.has(id));
  return { tail, newer, hasBoundary: true };
}

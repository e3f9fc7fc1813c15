import type { Message } from "@holdfast/message-schema";
import { normalizeCheckpoint } from "./normalize-checkpoint.ts";
import { boundaryIndexOf, type ContextSource, firstIndexBehind } from "./transcript-range.ts";

export interface RangeSource extends ContextSource {
  /** Position in the transcript of the new boundary, which the range includes; -1 for an empty range. */
  readonly boundaryIndex: number;
}

/**
 * What the selector of a new checkpoint sees: the replayed tail of the one before, then the transcript behind its
 * boundary up to the new one. Leading system messages are not in it. The messages are those of the transcript.
 */
export function windowRange(source: RangeSource): Message[] {
  const { transcript, checkpoint } = source;
  const previousIndex = boundaryIndexOf(source);
  const newer = transcript.slice(firstIndexBehind(previousIndex, transcript), source.boundaryIndex + 1);
  if (checkpoint === undefined || previousIndex < 0) return newer;
  return [...normalizeCheckpoint(checkpoint).checkpoint.retainedTail, ...newer];
}

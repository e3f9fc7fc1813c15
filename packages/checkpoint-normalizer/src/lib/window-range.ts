import type { Message } from "@holdfast/message-schema";
import { type ContextSource, liveMessages } from "./transcript-range.ts";

export interface RangeSource extends ContextSource {
  /** Position in the transcript of the new boundary, which the range includes; -1 for an empty range. */
  readonly boundaryIndex: number;
}

/**
 * What the selector of a new checkpoint sees: the replayed tail of the one before, then the transcript behind its
 * boundary up to the new one. Leading system messages are not in it. The messages are those of the transcript.
 */
export function windowRange(source: RangeSource): Message[] {
  const { tail, newer } = liveMessages(source);
  const behindNewBoundary = source.transcript.length - 1 - source.boundaryIndex;
  return [...tail, ...newer.slice(0, Math.max(0, newer.length - behindNewBoundary))];
}

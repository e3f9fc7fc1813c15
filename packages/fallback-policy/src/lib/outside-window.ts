import type { UncoveredInterval } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import type { FallbackInput } from "./policy.ts";
import type { RecentTail } from "./recent-tail.ts";

export interface OutsideWindowOptions {
  readonly tail: Pick<RecentTail, "windowStartId">;
  readonly uncovered: readonly UncoveredInterval[];
}

/**
 * The messages that neither a summary nor the window holds, in transcript order: what no summary has read, up to the
 * window's first message. An anchor is among them, although it is in view: a later fallback may not keep it.
 */
export function outsideWindow(
  { transcript }: Pick<FallbackInput, "transcript">,
  { tail, uncovered }: OutsideWindowOptions,
): Message[] {
  const positions = new Map(transcript.map(({ id }, position) => [id, position]));
  const windowStart = tail.windowStartId === undefined ? undefined : positions.get(tail.windowStartId);
  return uncovered.flatMap(({ from, through }) => {
    const end = (positions.get(through) ?? -1) + 1;
    return transcript.slice(positions.get(from), Math.min(end, windowStart ?? end));
  });
}

import { intervalsOf } from "@holdfast/checkpoint-normalizer";
import { type PlanOptions, planSummary } from "@holdfast/chunked-summarizer";
import type { Message } from "@holdfast/message-schema";
import type { CompactionRanges } from "./plan-compaction.ts";

export interface ReadableRange {
  /** The end of the summary range that one chain of requests holds: as much of the older intervals as fits, then the range. */
  readonly messages: readonly Message[];
  readonly intervals: CompactionRanges["intervals"];
  /** What is left of the older intervals: it stays uncovered. */
  readonly leftUnread: CompactionRanges["intervals"];
}

const MAX_LINKS = 16;
/** Tries with less and less of the older intervals before they all wait. */
const TRIES = 4;

/**
 * How much of the older intervals can be read together with the range. The newest of them come first, since what was
 * said last matters most; the range itself is never given up for a gap.
 */
export function withinLinks(
  ranges: CompactionRanges,
  transcript: readonly Message[],
  options: PlanOptions & { readonly countMessage: (message: Message) => number },
): ReadableRange {
  const { summary, intervals } = ranges;
  const olderCount = summary.findLastIndex(({ id }) => intervals.some(({ through }) => through === id)) + 1;
  const from = (start: number): ReadableRange => ({
    messages: summary.slice(start),
    intervals: intervalsOf(summary.slice(start, olderCount), transcript),
    leftUnread: intervalsOf(summary.slice(0, start), transcript),
  });
  const whole = planSummary(summary, { ...options, intervals });
  if (olderCount === 0 || whole.ok || whole.reason !== "summary_budget") return from(0);
  let allowed = whole.limits.requestBudget * MAX_LINKS;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    allowed *= 0.8;
    const readable = from(Math.min(olderCount, startWithin(summary, allowed, options.countMessage)));
    if (readable.intervals.length === 0) break;
    if (planSummary(readable.messages, { ...options, intervals: readable.intervals }).ok) return readable;
  }
  return from(olderCount);
}

/** Index of the first of the newest messages that count at most `allowed` tokens. */
function startWithin(
  messages: readonly Message[],
  allowed: number,
  countMessage: (message: Message) => number,
): number {
  let tokens = 0;
  return (
    messages.findLastIndex((message) => {
      tokens += countMessage(message);
      return tokens > allowed;
    }) + 1
  );
}

import { carriedSummary, RECOVERY_NOTICE_END, RECOVERY_NOTICE_START } from "@holdfast/checkpoint-normalizer";
import {
  type Clock,
  planSummary,
  type SummarizeOptions,
  type SummaryModel,
  type SummaryProgress,
  type SummaryResult,
  summarizeRange,
} from "@holdfast/chunked-summarizer";
import type { Budgets } from "@holdfast/fallback-policy/budgets";
import type { ActiveCompactionPlan } from "./compaction-plan.ts";
import type { CompactionRanges } from "./plan-compaction.ts";
import type { Snapshot } from "./snapshot.ts";

export interface AskOptions {
  readonly model: SummaryModel;
  readonly counter: { countText(text: string): number };
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (progress: SummaryProgress) => void;
}

export interface AskedSummary {
  readonly result: SummaryResult;
  /** Older intervals that did not fit beside the range: they stay uncovered. */
  readonly leftUnread: CompactionRanges["intervals"];
}

/**
 * Asks the model for a summary of the range. When the range and the older intervals together need too many requests,
 * the oldest intervals wait for a later summary: the range is never given up for a gap.
 */
export async function askForSummary(
  plan: ActiveCompactionPlan,
  ranges: CompactionRanges,
  snapshot: Snapshot,
  options: AskOptions,
): Promise<AskedSummary> {
  const summarize: SummarizeOptions = {
    model: options.model,
    counter: options.counter,
    previousSummary: carriedSummary(snapshot.checkpoint),
    maxSummaryTokens: Math.min(options.budgets.summaryMax, Math.floor(plan.roomTokens / 2)),
    reservedMarks: [RECOVERY_NOTICE_START, RECOVERY_NOTICE_END],
    instructions: options.instructions,
    clock: options.clock,
    signal: options.signal,
    onProgress: options.onProgress,
  };
  let messages = ranges.summary;
  let intervals = ranges.intervals;
  const leftUnread: { from: string; through: string }[] = [];
  while (intervals.length > 0 && !planSummary(messages, { ...summarize, intervals }).ok) {
    const [oldest, ...rest] = intervals;
    if (oldest === undefined) break;
    messages = messages.slice(messages.findIndex((message) => message.id === oldest.through) + 1);
    intervals = rest;
    leftUnread.push(oldest);
  }
  return { result: await summarizeRange(messages, { ...summarize, intervals }), leftUnread };
}

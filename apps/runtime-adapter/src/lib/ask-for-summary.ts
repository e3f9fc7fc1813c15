import { carriedSummary, RECOVERY_NOTICE_END, RECOVERY_NOTICE_START } from "@holdfast/checkpoint-normalizer";
import {
  type Clock,
  type SummarizeOptions,
  type SummaryModel,
  type SummaryProgress,
  type SummaryResult,
  summarizeRange,
} from "@holdfast/chunked-summarizer";
import type { Budgets } from "@holdfast/fallback-policy/budgets";
import type { Message } from "@holdfast/message-schema";
import type { ActiveCompactionPlan } from "./compaction-plan.ts";
import { heardModel } from "./heard-model.ts";
import type { CompactionRanges } from "./plan-compaction.ts";
import type { Snapshot } from "./snapshot.ts";
import { withinLinks } from "./within-links.ts";

export interface AskOptions {
  readonly model: SummaryModel;
  readonly counter: { countText(text: string): number };
  readonly countMessage: (message: Message) => number;
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly random?: (() => number) | undefined;
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (progress: SummaryProgress) => void;
}

export interface AskedSummary {
  readonly result: SummaryResult;
  /** The messages the chain of requests was made of. */
  readonly asked: readonly Message[];
  /** Older intervals that did not fit beside the range: they stay uncovered. */
  readonly leftUnread: CompactionRanges["intervals"];
  /** What was wrong the last time the model was asked, if anything was. For the host alone. */
  readonly mistake?: unknown;
}

/**
 * Asks the model for a summary of the range and of the older intervals. What of the intervals needs too many requests
 * waits for a later summary, the oldest messages first: the range is never given up for a gap.
 */
export async function askForSummary(
  plan: ActiveCompactionPlan,
  ranges: CompactionRanges,
  snapshot: Snapshot,
  options: AskOptions,
): Promise<AskedSummary> {
  const { model, mistake } = heardModel(options.model);
  const summarize: SummarizeOptions = {
    ...options,
    model,
    previousSummary: carriedSummary(snapshot.checkpoint),
    maxSummaryTokens: Math.min(options.budgets.summaryMax, Math.floor(plan.roomTokens / 2)),
    reservedMarks: [RECOVERY_NOTICE_START, RECOVERY_NOTICE_END],
  };
  const readable = withinLinks(ranges, snapshot.transcript, { ...summarize, countMessage: options.countMessage });
  const result = await summarizeRange(readable.messages, { ...summarize, intervals: readable.intervals });
  return { result, asked: readable.messages, leftUnread: readable.leftUnread, mistake: mistake() };
}

import type { RetainedTailMode } from "@holdfast/checkpoint-normalizer";
import type { FailureReason } from "@holdfast/fallback-policy";

/** What started a compaction. */
export type CompactionTrigger = "automatic" | "end_turn" | "new_context" | "overflow" | "manual";

export type CompactionStrategy = "summary" | "fresh_window";

/** A stretch of messages by role; `from` and `through` are ids, absent when it is empty. */
export interface PlannedRange {
  readonly from?: string | undefined;
  readonly through?: string | undefined;
  readonly user: number;
  readonly assistant: number;
  readonly tool: number;
}

/** What a compaction will do. Pure JSON: it can be printed, stored and compared, and is applied afterwards. */
export type CompactionPlan =
  /** Nothing to do; `no_new_history` when there is nothing that a summary has not read. */
  | { readonly kind: "unchanged"; readonly trigger: CompactionTrigger; readonly reason: "no_new_history" | "limited" }
  /** No checkpoint could make the request fit: what stays behind the boundary is too large. */
  | { readonly kind: "impossible"; readonly trigger: CompactionTrigger; readonly tokensBefore: number }
  | ActiveCompactionPlan;

export interface ActiveCompactionPlan {
  readonly kind: "ask_model" | "fallback_without_asking" | "fresh_window";
  /** Why no model is asked. */
  readonly reason?: FailureReason | undefined;
  readonly trigger: CompactionTrigger;
  readonly policy: string;
  readonly generation: number;
  readonly throughMessageId: string;
  /** Newest message of the transcript when the plan was made. */
  readonly atMessageId: string;
  readonly mode: RetainedTailMode;
  /** Size of the request before the compaction. */
  readonly tokensBefore: number;
  /** The overhead and everything behind the boundary. */
  readonly fixedTokens: number;
  /** What the checkpoint may fill. */
  readonly roomTokens: number;
  /** 1, or less after an overflow proved the count wrong: every limit is multiplied by it. */
  readonly limitFactor: number;
  readonly windowRange: PlannedRange;
  readonly summaryRange: PlannedRange;
  /** Older stretches of the summary range that an earlier compaction left unread. */
  readonly intervals: readonly { readonly from: string; readonly through: string }[];
}

import type { Message } from "@holdfast/message-schema";
import type { Clock } from "./clock.ts";
import type { SummaryModel } from "./summary-model.ts";

/** Paths the range read and modified, each in the order of last use, newest last. */
export interface FileLists {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/** Summed over every sending, also those that failed. */
export interface SummaryUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** A sending reported no usage: the true sum is larger. */
  readonly incomplete: boolean;
}

/** A stretch of the summary range. `gap` marks older messages that an earlier compaction could not summarize. */
export interface SummaryRangePart {
  readonly messages: readonly Message[];
  readonly gap: boolean;
}

export interface SummarizeOptions {
  readonly model: SummaryModel;
  readonly counter: { countText(text: string): number };
  /** The carried summary, notices removed. */
  readonly previousSummary?: string | undefined;
  /** Upper bound of the stored summary in tokens, besides the model's own. */
  readonly maxSummaryTokens?: number | undefined;
  /** What the caller adds to the prompt. */
  readonly instructions?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
}

export interface SummaryProgress {
  readonly link: number;
  readonly links: number;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type SummaryFailureReason = "no_new_history" | "summary_budget" | "summary_provider";

export type SummaryResult =
  | {
      readonly ok: true;
      readonly summary: string;
      readonly usage: SummaryUsage;
      /** Sendings, the failed ones included. */
      readonly requests: number;
      /** Id of the last message that an answered request contained whole. */
      readonly coveredThrough: string;
      readonly files: FileLists;
    }
  | {
      readonly ok: false;
      readonly reason: SummaryFailureReason;
      /** `null` only if nothing was sent. */
      readonly usage: SummaryUsage | null;
      readonly requests: number;
      readonly partial?: { readonly summary: string; readonly coveredThrough: string } | undefined;
    }
  | { readonly aborted: true; readonly usage: SummaryUsage | null };

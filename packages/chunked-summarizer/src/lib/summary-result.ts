/** Paths the range read and modified, both in the order of last use of either kind, newest last. */
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

/** Why there is no summary. */
export type SummaryFailureReason = "no_new_history" | "summary_budget" | "summary_provider";

/** What the links that were answered achieved before the chain failed. */
export interface PartialSummary {
  /** The answer of the last link that was answered, without a list of files. */
  readonly summary: string;
  /** Id of the last message that answered requests contained whole. */
  readonly coveredThrough: string;
}

export type SummaryResult =
  | {
      readonly ok: true;
      /**
       * The model's text and the list of files below it. With the list it stays within `maxSummaryTokens` and the model's
       * own bound; a text that ended by itself and is longer than that comes back whole and without a list, so that who
       * stores it can say that it is oversized.
       */
      readonly summary: string;
      readonly usage: SummaryUsage;
      /** Sendings, the failed ones included. */
      readonly requests: number;
      /** Id of the last message that answered requests contained whole: the last one of the range. */
      readonly coveredThrough: string;
      readonly files: FileLists;
      /** Names the prompts that were used. */
      readonly promptVersion: string;
    }
  | {
      readonly ok: false;
      readonly reason: SummaryFailureReason;
      /** `null` only if nothing was sent. */
      readonly usage: SummaryUsage | null;
      readonly requests: number;
      /** Absent when no message was read whole. */
      readonly partial?: PartialSummary | undefined;
      readonly promptVersion: string;
    }
  | { readonly aborted: true; readonly usage: SummaryUsage | null; readonly requests: number };

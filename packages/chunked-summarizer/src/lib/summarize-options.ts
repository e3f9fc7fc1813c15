import type { FileTool } from "@holdfast/message-schema/tools";
import type { Clock } from "./clock.ts";
import type { SummaryModel } from "./summary-model.ts";

/** A stretch of the range by message ids, both ends included. */
export interface MessageInterval {
  readonly from: string;
  readonly through: string;
}

/** What decides how many requests a summary takes and what they contain. */
export interface PlanOptions {
  readonly model: Pick<SummaryModel, "contextWindow" | "maxOutputTokens">;
  /**
   * Counts the tokens of a text. Counting a text in parts, cut before a space or at the start of a line, must never
   * give less than counting it whole: encoders and estimators that round up are of this kind.
   */
  readonly counter: { countText(text: string): number };
  /** The carried summary, notices removed. Blank is none. */
  readonly previousSummary?: string | undefined;
  /** Upper bound of the stored summary in tokens, besides the model's own. */
  readonly maxSummaryTokens?: number | undefined;
  /**
   * Older messages of the range that an earlier compaction left unread; each stretch begins under a line that says so.
   * An id that is not in the range marks nothing.
   */
  readonly intervals?: readonly MessageInterval[] | undefined;
  /** What the caller adds to the prompt. It is trusted. */
  readonly instructions?: string | undefined;
  /** Tools whose calls read or modify files: the known ones of coding agents by default. */
  readonly fileTools?: readonly FileTool[] | undefined;
}

export interface SummarizeOptions extends PlanOptions {
  readonly model: SummaryModel;
  /**
   * Texts that must not appear in a summary, in any case, for example the marks of a notice: an answer's are broken
   * with a backslash.
   */
  readonly reservedMarks?: readonly string[] | undefined;
  /** How long one sending may take in milliseconds, 120,000 by default. */
  readonly sendingTimeoutMs?: number | undefined;
  /** The machine's clock by default. */
  readonly clock?: Clock | undefined;
  /** Spreads the waits before a request is sent again: a number from 0 up to 1, `Math.random` by default. */
  readonly random?: (() => number) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before every sending. What it throws stops the summary and is thrown on. */
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
}

export interface SummaryProgress {
  /** The link that is being asked, from 1. */
  readonly link: number;
  readonly links: number;
  /** Sendings so far, this one included. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

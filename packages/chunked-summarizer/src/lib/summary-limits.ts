import type { SummaryModel } from "./summary-model.ts";

/** Links of one chain. */
export const MAX_LINKS = 16;

/** Below this a request would say more about itself than about the range. */
export const MIN_REQUEST_BUDGET = 512;

/** What every request of one summary keeps to, in tokens of the counter. */
export interface SummaryLimits {
  /** The summary model's own bound of a summary; a longer previous summary is shortened to it. */
  readonly summaryMax: number;
  /** The output cap sent, and the bound of the stored summary. */
  readonly maxOutputTokens: number;
  /** What the list of files may take. */
  readonly fileListMax: number;
  /** What the part of the range in one request may take, its continuation line included. May be negative. */
  readonly requestBudget: number;
}

/**
 * Derives the limits from the summary model's window and output cap. `promptTokens` is the fixed text of the longest
 * prompt; the rest of the window beside the parts that are counted is a margin for the provider's own framing and for
 * counts that do not add up where texts are joined.
 */
export function summaryLimits(
  model: Pick<SummaryModel, "contextWindow" | "maxOutputTokens">,
  { promptTokens, maxSummaryTokens }: { readonly promptTokens: number; readonly maxSummaryTokens?: number | undefined },
): SummaryLimits {
  const window = model.contextWindow;
  const summaryMax = Math.min(model.maxOutputTokens, Math.min(8192, Math.max(1024, Math.floor(window / 16))));
  const margin = Math.max(Math.min(2048, Math.floor(window / 16)), Math.floor(window / 20));
  const maxOutputTokens = Math.floor(Math.min(summaryMax, maxSummaryTokens ?? summaryMax));
  return {
    summaryMax,
    maxOutputTokens,
    fileListMax: Math.floor(maxOutputTokens / 4),
    requestBudget: window - 2 * summaryMax - margin - promptTokens - Math.floor(summaryMax / 4),
  };
}

import type { Message } from "@holdfast/message-schema";
import { type CutRange, chooseChunks, type RangeRenderings } from "./choose-chunks.ts";
import { collectFiles } from "./file-lists.ts";
import { type MeasuredRange, measureRange } from "./measure-range.ts";
import { longestPromptText } from "./prompts-v1.ts";
import { isSameInBoth, rangeBlocks } from "./range-blocks.ts";
import type { PlanOptions } from "./summarize-options.ts";
import { MAX_LINKS, MIN_REQUEST_BUDGET, type SummaryLimits, summaryLimits } from "./summary-limits.ts";
import type { FileLists } from "./summary-result.ts";

/** A plan with the texts it measured. */
export type SummaryLayout =
  | {
      readonly ok: true;
      readonly limits: SummaryLimits;
      readonly renderings: RangeRenderings;
      readonly cut: CutRange;
      readonly files: FileLists;
    }
  | { readonly ok: false; readonly limits: SummaryLimits; readonly reason: "no_new_history" | "summary_budget" };

export function layOutSummary(messages: readonly Message[], options: PlanOptions): SummaryLayout {
  requirePositive("contextWindow", options.model.contextWindow);
  requirePositive("maxOutputTokens", options.model.maxOutputTokens);
  if (options.maxSummaryTokens !== undefined) requirePositive("maxSummaryTokens", options.maxSummaryTokens);
  const { counter, intervals } = options;
  const limits = summaryLimits(options.model, {
    promptTokens: counter.countText(longestPromptText(options.instructions)),
    maxSummaryTokens: options.maxSummaryTokens,
  });
  const { requestBudget } = limits;

  const fullBlocks = rangeBlocks(messages, { rendering: "full", intervals });
  if (fullBlocks.every((block) => block.text === "")) return { ok: false, limits, reason: "no_new_history" };
  if (requestBudget < MIN_REQUEST_BUDGET) return { ok: false, limits, reason: "summary_budget" };

  const full = measureRange(fullBlocks, { counter, requestBudget });
  let reduced: MeasuredRange | undefined;
  const renderings: RangeRenderings = {
    full,
    sharedTokens: sharedTokens(full, messages),
    reduced: () => {
      reduced ??= measureRange(rangeBlocks(messages, { rendering: "reduced", intervals }), {
        counter,
        requestBudget,
        known: { blocks: fullBlocks, range: full },
      });
      return reduced;
    },
  };
  const from = { rendering: "full", segment: 0 } as const;
  const cut = chooseChunks(renderings, { counter, requestBudget, maxChunks: MAX_LINKS, from });
  if (cut === undefined) return { ok: false, limits, reason: "summary_budget" };
  return {
    ok: true,
    limits,
    renderings,
    cut,
    files: collectFiles(messages, options.fileTools),
  };
}

function sharedTokens({ segments }: MeasuredRange, messages: readonly Message[]): number {
  let sum = 0;
  for (const { message, tokens, surplus } of segments) if (isSameInBoth(messages[message])) sum += tokens - surplus;
  return sum;
}

function requirePositive(name: string, value: number): void {
  if (!Number.isFinite(value) || value < 1) throw new RangeError(`${name} must be a positive number, got ${value}`);
}

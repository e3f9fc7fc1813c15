export { type Clock, systemClock } from "./lib/clock.ts";
export { isContextOverflow } from "./lib/context-overflow.ts";
export { planSummary, type SummaryLink, type SummaryPlan } from "./lib/plan-summary.ts";
export { PROMPT_VERSION } from "./lib/prompts-v1.ts";
export type { MessageInterval, PlanOptions, SummarizeOptions, SummaryProgress } from "./lib/summarize-options.ts";
export { summarizeRange } from "./lib/summarize-range.ts";
export type { SummaryLimits } from "./lib/summary-limits.ts";
export type { SummaryAnswer, SummaryModel, SummaryModelUsage, SummaryRequest } from "./lib/summary-model.ts";
export { SummaryModelError, type SummaryModelErrorKind } from "./lib/summary-model-error.ts";
export type {
  FileLists,
  PartialSummary,
  SummaryFailureReason,
  SummaryResult,
  SummaryUsage,
} from "./lib/summary-result.ts";
export { createVirtualClock, type VirtualClock } from "./lib/virtual-clock.ts";

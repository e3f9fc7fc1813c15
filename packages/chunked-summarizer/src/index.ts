export type { Clock } from "./lib/clock.ts";
export type { SummaryAnswer, SummaryModel, SummaryModelUsage, SummaryRequest } from "./lib/summary-model.ts";
export { SummaryModelError, type SummaryModelErrorKind } from "./lib/summary-model-error.ts";
export type {
  FileLists,
  SummarizeOptions,
  SummaryFailureReason,
  SummaryProgress,
  SummaryResult,
  SummaryUsage,
} from "./lib/summary-result.ts";

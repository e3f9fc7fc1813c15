export { type Boundary, findBoundary } from "./lib/boundary.ts";
export { CompactionError, type CompactionErrorCode } from "./lib/compaction-error.ts";
export type {
  ActiveCompactionPlan,
  CompactionPlan,
  CompactionStrategy,
  CompactionTrigger,
  PlannedRange,
} from "./lib/compaction-plan.ts";
export { type CompactionOutcome, type CompactionReport, countRoles, type RoleCounts } from "./lib/compaction-report.ts";
export { type Compactor, createCompactor } from "./lib/compactor.ts";
export type {
  CompactorOptions,
  ConversationModel,
  Counter,
  PreparedRequest,
  RequestInput,
} from "./lib/compactor-options.ts";
export type { CompactorEventName, CompactorEvents, CompactorListener } from "./lib/events.ts";
export { NEW_CONTEXT_RESULT, newContextTool } from "./lib/new-context-tool.ts";
export { isSilentOverflow } from "./lib/silent-overflow.ts";

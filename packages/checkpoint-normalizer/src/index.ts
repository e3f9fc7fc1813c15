export { carriedSummary } from "./lib/carried-summary.ts";
export type {
  Checkpoint,
  CheckpointDetails,
  CheckpointUsage,
  RetainedTailMode,
  UncoveredInterval,
} from "./lib/checkpoint.ts";
export type { CheckpointDiagnostic, CheckpointDiagnosticCode } from "./lib/checkpoint-diagnostic.ts";
export { checkpointFromCompaction } from "./lib/checkpoint-from-compaction.ts";
export { CHECKPOINT_VERSION, checkpointSchema } from "./lib/checkpoint-schema.ts";
export { type CheckpointDescription, describeCheckpoint } from "./lib/describe-checkpoint.ts";
export { type MergedFileLists, mergeFileLists } from "./lib/file-lists.ts";
export { newestGeneration } from "./lib/generations.ts";
export type { ImportedCompaction, ImportOptions, ImportSource } from "./lib/imported-compaction.ts";
export { intervalsOf, mergeIntervals, subtractCovered } from "./lib/interval-arithmetic.ts";
export { type NormalizedCheckpoint, normalizeCheckpoint } from "./lib/normalize-checkpoint.ts";
export { type ParsedCheckpoint, parseCheckpoint } from "./lib/parse-checkpoint.ts";
export { rebuildContext } from "./lib/rebuild-context.ts";
export {
  neutralizeNoticeMarks,
  RECOVERY_NOTICE_END,
  RECOVERY_NOTICE_START,
  stripRecoveryNotice,
} from "./lib/recovery-notice.ts";
export { type ForkIdMap, type RemappedCheckpoints, remapCheckpoints } from "./lib/remap-checkpoints.ts";
export { type SelectedCheckpoint, selectCheckpoint } from "./lib/select-checkpoint.ts";
export { type SummarySource, summaryMessage } from "./lib/summary-message.ts";
export { type SummaryRange, type SummaryRangeSource, summaryRange } from "./lib/summary-range.ts";
export type { ContextSource } from "./lib/transcript-range.ts";
export { truncateCheckpoints } from "./lib/truncate-checkpoints.ts";
export { uncovered } from "./lib/uncovered.ts";
export { type RangeSource, windowRange } from "./lib/window-range.ts";

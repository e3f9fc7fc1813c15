export { FAILURE_KINDS, type FailureKind } from "./lib/offline-summary-model.ts";
export { type Replay, type ReplayedCompaction, type ReplayOptions, replayConversation } from "./lib/replay.ts";
export { replayReport } from "./lib/replay-report.ts";

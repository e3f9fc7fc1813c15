export type {
  Checkpoint,
  CheckpointDetails,
  CheckpointUsage,
  RetainedTailMode,
  UncoveredInterval,
} from "./lib/checkpoint.ts";

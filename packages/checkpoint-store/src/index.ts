export type { AppendOptions, AppendResult, CheckpointStore } from "./lib/checkpoint-store.ts";

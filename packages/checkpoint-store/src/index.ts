export type { AppendOptions, AppendResult, CheckpointStore } from "./lib/checkpoint-store.ts";
export { CheckpointStoreError } from "./lib/checkpoint-store-error.ts";

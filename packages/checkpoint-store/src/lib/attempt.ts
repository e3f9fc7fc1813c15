import { CheckpointStoreError } from "./checkpoint-store-error.ts";

/** The action's result, or a `CheckpointStoreError` with what it threw as its cause. */
export async function attempt<T>(code: "read_failed" | "write_failed", action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new CheckpointStoreError(code, error);
  }
}

/** Storage failed; what it said is in `cause`, for the host alone. */
export class CheckpointStoreError extends Error {
  override readonly name = "CheckpointStoreError";
  readonly code: "read_failed" | "write_failed";

  constructor(code: "read_failed" | "write_failed", cause: unknown) {
    super(`checkpoint store: ${code}`, { cause });
    this.code = code;
  }
}

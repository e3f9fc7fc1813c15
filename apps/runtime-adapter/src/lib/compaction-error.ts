import type { FailureReason } from "@holdfast/fallback-policy";

export type CompactionErrorCode =
  | FailureReason
  | "busy"
  | "turn_active"
  | "limited"
  | "conflict"
  | "store_failed"
  | "too_large"
  | "disposed";

const explanations: Record<CompactionErrorCode, string> = {
  no_new_history: "there is nothing that a summary has not read",
  summary_budget: "the range does not fit the allowed number of summary requests",
  summary_provider: "the summary model gave no usable answer",
  checkpoint_oversized: "the summary would not make the context smaller",
  busy: "another compaction of this conversation is running",
  turn_active: "the turn has not ended",
  limited: "the last attempt helped too little, and not enough was added since",
  conflict: "another writer installed a checkpoint first",
  store_failed: "the checkpoint could not be stored",
  too_large: "what must stay in the request leaves no room for a checkpoint",
  disposed: "the compactor was disposed",
};

/**
 * Thrown to a host by a manual compaction, which changes nothing when it fails. `code` says why; no provider text is in
 * its message. `cause` is that of the report: what the store threw, or the summary model.
 */
export class CompactionError extends Error {
  override readonly name = "CompactionError";
  readonly code: CompactionErrorCode;

  constructor(code: CompactionErrorCode, options: { readonly cause?: unknown } = {}) {
    super(`compaction failed: ${explanations[code]}`, options);
    this.code = code;
  }
}

/** Why there is no summary. The vocabulary is closed: never provider error text, never a fifth word. */
export type FailureReason = "no_new_history" | "summary_budget" | "summary_provider" | "checkpoint_oversized";

/**
 * - `no_new_history`: there is nothing that a summary has not read
 * - `summary_budget`: more than 16 links, a request budget under 512 tokens, or a second overflow answer
 * - `summary_provider`: every other failure of asking
 * - `checkpoint_oversized`: a valid summary whose checkpoint is too large, or no smaller than what it replaces
 */
export const failureReasons: readonly FailureReason[] = [
  "no_new_history",
  "summary_budget",
  "summary_provider",
  "checkpoint_oversized",
];

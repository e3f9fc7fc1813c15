/** Token budgets of a model. Every number is derived: there is nothing to configure to be safe. */
export interface Budgets {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly headroom: number;
  /** No conversation request is sent at or above it. `Infinity` when the window was guessed. */
  readonly hardLimit: number;
  /** Automatic compaction starts here. */
  readonly trigger: number;
  readonly keepRecent: number;
  readonly retainedUserMax: number;
  readonly summaryMax: number;
}

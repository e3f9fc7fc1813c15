import type { DerivedBudgets } from "@holdfast/fallback-policy/budgets";

/** The budgets after an overflow proved the count wrong: every limit on content times `factor` (0.5 to 1). */
export function scaleBudgets(budgets: DerivedBudgets, factor: number): DerivedBudgets {
  if (factor === 1) return budgets;
  const scaled = (tokens: number) => Math.max(1, Math.floor(tokens * factor));
  return {
    ...budgets,
    hardLimit: scaled(budgets.hardLimit),
    trigger: scaled(budgets.trigger),
    keepRecent: scaled(budgets.keepRecent),
    retainedUserMax: scaled(budgets.retainedUserMax),
    summaryMax: scaled(budgets.summaryMax),
  };
}

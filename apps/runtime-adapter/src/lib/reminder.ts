import type { Budgets } from "@holdfast/fallback-policy/budgets";
import type { Snapshot } from "./snapshot.ts";

/** Tokens left before compaction at which the model is told, the earlier mark first. */
function reminderMarks(budgets: Budgets): readonly [number, number] {
  const { hardLimit, trigger } = budgets;
  const early = Math.min(Math.max(8000, Math.min(32_000, Math.floor(0.15 * hardLimit))), Math.floor(trigger / 4));
  return [early, Math.min(2000, Math.floor(trigger / 20))];
}

/**
 * The reminder this request carries, or `undefined`. One is due when this request is past a mark and none before it
 * since the checkpoint was. Derived from the transcript alone, so that a restart repeats none.
 */
export function reminderFor({ size }: Pick<Snapshot, "size">, budgets: Budgets): string | undefined {
  const remaining = budgets.trigger - size.tokens;
  const leastRemaining = budgets.trigger - size.largestAnswered;
  const crossed = reminderMarks(budgets).some((mark) => remaining <= mark && leastRemaining > mark);
  if (!crossed) return undefined;
  return `[context reminder] About ${Math.max(0, remaining)} tokens remain before older messages of this conversation are compacted. Write down what must not be lost.`;
}

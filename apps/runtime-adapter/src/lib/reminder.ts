import type { Budgets } from "@holdfast/fallback-policy/budgets";
import type { Message } from "@holdfast/message-schema";
import type { Snapshot } from "./snapshot.ts";

/** Tokens left before compaction at which the model is told, the earlier mark first. */
function reminderMarks(budgets: Budgets): readonly [number, number] {
  const { hardLimit, trigger } = budgets;
  const early = Math.min(Math.max(8000, Math.min(32_000, Math.floor(0.15 * hardLimit))), Math.floor(trigger / 4));
  return [early, Math.min(2000, Math.floor(trigger / 20))];
}

/**
 * The reminder this request carries, or `undefined`. One is due when this request is past a mark and the previous
 * request since the checkpoint was not. Derived from the transcript alone, so that a restart repeats none.
 */
export function reminderFor(
  snapshot: Snapshot,
  options: { readonly budgets: Budgets; readonly countMessage: (message: Message) => number },
): string | undefined {
  const { budgets } = options;
  const remaining = budgets.trigger - snapshot.size.tokens;
  const previous = previousRequestTokens(snapshot, options.countMessage);
  const previousRemaining = previous === undefined ? Number.POSITIVE_INFINITY : budgets.trigger - previous;
  const crossed = reminderMarks(budgets).some((mark) => remaining <= mark && previousRemaining > mark);
  if (!crossed) return undefined;
  return `[context reminder] About ${Math.max(0, remaining)} tokens remain before older messages of this conversation are compacted. Write down what must not be lost.`;
}

function previousRequestTokens(snapshot: Snapshot, countMessage: (message: Message) => number): number | undefined {
  const { context, checkpoint, transcript } = snapshot;
  const answer = context.findLastIndex((message) => message.role === "assistant");
  const answerId = context[answer]?.id;
  if (answerId === undefined) return undefined;
  const madeAt = checkpoint?.details["atMessageId"] ?? checkpoint?.throughMessageId;
  const isSinceCheckpoint =
    transcript.findLastIndex((message) => message.id === answerId) >
    transcript.findLastIndex((message) => message.id === madeAt);
  if (!isSinceCheckpoint) return undefined;
  return context.slice(0, answer).reduce((sum, message) => sum + countMessage(message), snapshot.overheadTokens);
}

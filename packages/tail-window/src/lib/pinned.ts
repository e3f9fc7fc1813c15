import { isPlain, shortenedTo } from "./plain-message.ts";
import type { Kept, Source } from "./walk.ts";

/**
 * The pinned messages that the budget allows, newest first; one that does not fit is shortened into what is left, or
 * left out. A pin on a message that calls tools, answers calls, is discarded or empty has no effect.
 */
export function pinnedMessages<M>(
  source: Source<M>,
  budgetTokens: number,
  isPinned: (message: M) => boolean,
): Map<number, Kept<M>> {
  const { messages, firstIndex, shape } = source;
  const kept = new Map<number, Kept<M>>();
  let left = budgetTokens;
  for (let index = messages.length - 1; index >= firstIndex; index--) {
    const message = messages[index] as M;
    if (!isPinned(message) || !isPlain(message, shape)) continue;
    const pinned = shortenedTo(message, index, left, source);
    if (!pinned) continue;
    kept.set(index, pinned);
    left -= pinned.tokens;
  }
  return kept;
}

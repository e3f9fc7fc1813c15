import { latestRequest } from "./latest-request.ts";
import type { FallbackInput } from "./policy.ts";
import type { RecentTail } from "./recent-tail.ts";
import { shortenMessage } from "./shorten-message.ts";
import { withoutUsage } from "./without-usage.ts";

/** Below this many tokens a window is not worth its place. */
const MIN_WINDOW_TOKENS = 64;
/** A request shortened below this many tokens says nothing any more. */
const MIN_ANCHOR_TOKENS = 16;
const ANCHOR_MAX_TOKENS = 20_000;

/**
 * Tails to try one after the other, each smaller than the one before: the whole window, half of it and so on, then
 * the anchor alone, then a shorter anchor. Without a request to keep the last one is empty.
 */
export function* shrinkingTails<T extends RecentTail>(
  input: FallbackInput,
  windowTokens: number,
  selectTail: (input: FallbackInput, budgetTokens: number) => T,
): Generator<T | RecentTail, void> {
  for (let budget = windowTokens; budget >= MIN_WINDOW_TOKENS; budget = Math.floor(budget / 2)) {
    yield selectTail(input, budget);
  }
  const request = input.mode === "active_turn" ? latestRequest(input) : undefined;
  if (request === undefined) {
    yield { messages: [], tokens: 0, anchorId: undefined, windowStartId: undefined, shortenedIds: [], omitted: [] };
    return;
  }
  const most = Math.min(Math.floor(windowTokens / 3), ANCHOR_MAX_TOKENS);
  for (let maxTokens = most; maxTokens >= MIN_ANCHOR_TOKENS; maxTokens = Math.floor(maxTokens / 2)) {
    const anchor = shortenMessage(input, request, maxTokens);
    yield {
      messages: [withoutUsage(anchor)],
      tokens: input.countTokens.message(anchor),
      anchorId: anchor.id,
      windowStartId: undefined,
      shortenedIds: anchor === request ? [] : [anchor.id],
      omitted: [],
    };
  }
}

import { findAnchor } from "./anchor.ts";
import { assemble } from "./assemble.ts";
import { checkedCounter, checkedRole, checkedTokens } from "./checked-input.ts";
import { pinnedMessages } from "./pinned.ts";
import { shortenedTo } from "./plain-message.ts";
import type { SelectOptions, TailWindow } from "./tail-window.ts";
import { type KeptMessages, type Source, walkBack, windowWithin } from "./walk.ts";

/** Under this budget nothing is shortened: what is left of a message would say nothing. */
const smallestShorteningBudgetTokens = 64;
const anchorCeilingTokens = 20_000;

/**
 * The newest messages that fit the budget: contiguous, every role, no tool result without its call and no call without
 * its result. The message or exchange that would end the window is kept shortened when more than half of the budget
 * would stay unused, and always when it is the newest.
 *
 * The window is empty only when there is nothing to keep, when the newest message cannot be made short enough, or when the
 * budget is under 64, where only whole messages are kept. Leading system messages come first and
 * cost nothing. Each message of the window and of the unit that ends it is counted once, a shortened one up to eight
 * times more. Nothing older is read, except back to the request for an `anchor` and everything for `pinned`.
 *
 * @throws TypeError or RangeError that names the option and its value, or the message by its index: an option that is
 * no number of tokens, a counter that throws or returns one that is none, an unknown role, an anchor that is not there
 * or cannot stand alone.
 */
export function selectTailWindow<M>(messages: readonly M[], options: SelectOptions<M>): TailWindow<M> {
  const { shape } = options;
  const budgetTokens = checkedTokens("budgetTokens", options.budgetTokens);
  const anchorMaxTokens = checkedTokens("anchorMaxTokens", options.anchorMaxTokens ?? anchorCeilingTokens);
  const count = checkedCounter(options.countTokens);
  let firstIndex = 0;
  while (firstIndex < messages.length && checkedRole(messages[firstIndex] as M, firstIndex, shape) === "system") {
    firstIndex += 1;
  }
  const source: Source<M> = {
    messages,
    firstIndex,
    shape,
    count,
    mayShorten: budgetTokens >= smallestShorteningBudgetTokens,
  };
  const none: KeptMessages<M> = new Map();
  const pins = options.pinned ? pinnedMessages(source, budgetTokens, options.pinned) : none;
  let left = budgetTokens;
  for (const { tokens } of pins.values()) left -= tokens;
  const walk = walkBack(source, left, pins);
  const windowOf = (tokens: number) => windowWithin(source, walk, tokens, budgetTokens / 2);

  const anchor = findAnchor(source, options.anchor, walk.oldestRead);
  let window = anchor && anchor.index < walk.oldestRead ? none : windowOf(left);
  if (!anchor || window.has(anchor.index) || pins.has(anchor.index)) {
    return assemble(source, walk, pins, window);
  }
  const most = Math.floor(Math.min(budgetTokens / 3, anchorMaxTokens, anchorCeilingTokens, left));
  const kept = shortenedTo(anchor.message, anchor.index, most, source);
  if (kept) {
    // For a shortened anchor its whole share is set aside, so that a larger budget never keeps less.
    window = windowOf(left - (kept.isShortened ? most : kept.tokens));
    if (window.size > 0) return assemble(source, walk, new Map([...pins, [anchor.index, kept]]), window, anchor.index);
  }
  return assemble(source, walk, pins, windowOf(left));
}

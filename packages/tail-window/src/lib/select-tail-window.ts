import { assemble } from "./assemble.ts";
import { checkedCounter, checkedRole, checkedTokens } from "./checked-input.ts";
import type { Entry } from "./entry.ts";
import { findAnchor } from "./find-anchor.ts";
import { keepAlone, keepPinned } from "./keep-alone.ts";
import type { SelectOptions, TailWindow } from "./tail-window.ts";
import { walkBack } from "./walk-back.ts";

/** Under this budget nothing is shortened: what is left of a message would say nothing. */
const smallestShorteningBudgetTokens = 64;
const anchorCeilingTokens = 20_000;

/**
 * The newest messages that fit the budget: contiguous, every role, no tool result without its call and no call without
 * its result. The message or exchange that would end the window is kept shortened when more than half of the budget
 * would stay unused, and always when it is the newest.
 *
 * The window is empty only when there is nothing to keep, when the newest message cannot be made short enough, or when
 * the budget is under 64, where only whole messages are kept. Leading system messages come first and cost nothing.
 * Each message of the window and of the unit that ends it is counted once (one that answers calls of several messages
 * once for each of them), a shortened one up to eight times more. Nothing older is read, except back to the request for
 * an `anchor` and everything for `pinned`.
 *
 * @throws TypeError or RangeError that names the option and its value, or the message by its index: an option that is
 * no number of tokens, a counter that throws or returns one that is none, an unknown role, an anchor that is not there.
 */
export function selectTailWindow<M>(messages: readonly M[], options: NoInfer<SelectOptions<M>>): TailWindow<M> {
  const { shape } = options;
  const budgetTokens = checkedTokens("budgetTokens", options.budgetTokens);
  const anchorMaxTokens = checkedTokens("anchorMaxTokens", options.anchorMaxTokens ?? anchorCeilingTokens);
  const count = checkedCounter(options.countTokens);
  const mayShorten = budgetTokens >= smallestShorteningBudgetTokens;
  let firstIndex = 0;
  while (firstIndex < messages.length && checkedRole(messages[firstIndex] as M, firstIndex, shape) === "system") {
    firstIndex += 1;
  }
  const source = { messages, firstIndex, shape, count, mayShorten };

  const pins = options.pinned ? keepPinned(source, budgetTokens, options.pinned) : new Map();
  const left = [...pins.values()].reduce((tokens, pin) => tokens - pin.tokens, budgetTokens);
  const walk = (tokens: number, mostUnused = budgetTokens / 2) => walkBack(source, pins, tokens, mostUnused);

  const anchor = findAnchor(source, options.anchor);
  const isReturnedAnyway = !anchor || pins.has(anchor.index) || (anchor.index >= 0 && anchor.index < firstIndex);
  if (isReturnedAnyway) return assemble(source, pins, walk(left), anchor?.index);

  // Whether the anchor is needed is found out before anything is shortened, so that nothing is shortened twice.
  const isAnchor = ({ index }: Entry<M>) => index === anchor.index;
  if (walk(left, Infinity).some(isAnchor)) {
    const window = walk(left);
    if (window.some((entry) => isAnchor(entry) && isKept(entry))) return assemble(source, pins, window);
  }
  const most = Math.floor(Math.min(budgetTokens / 3, anchorMaxTokens, anchorCeilingTokens, left));
  const kept = keepAlone(anchor.message, anchor.index, most, source);
  if (kept) {
    // A shortened anchor pays its whole share, whatever was made of it: so a larger budget never keeps less.
    const window = walk(left - (kept.isShortened ? most : kept.tokens));
    const ahead = new Map([...pins, [anchor.index, kept]]);
    if (window.some(isKept)) return assemble(source, ahead, window, anchor.index);
  }
  return assemble(source, pins, walk(left));
}

const isKept = <M>({ kept }: Entry<M>): boolean => kept !== undefined;

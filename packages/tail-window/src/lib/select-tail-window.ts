import { findAnchor, standsAlone } from "./anchor.ts";
import { checkedCounter, checkedRole, checkedTokens } from "./checked-input.ts";
import type { Entry } from "./entry.ts";
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
 * Each message of the window and of the unit that ends it is counted once (one that answers calls of several messages once
 * for each of them), a shortened one up to eight times more. Nothing older is read, except back to the request for an `anchor` and everything for `pinned`.
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

  const pins = new Map<number, M>();
  const shortened = new Set<number>();
  /** A message that is kept by itself, in at most `maxTokens`; nothing when that cannot be done. */
  const keepAlone = (original: M, index: number, maxTokens: number): M | undefined => {
    if (!standsAlone(original, shape)) return undefined;
    const whole = shape.withoutBlankText?.(original) ?? original;
    if (count(whole, index) <= maxTokens) return whole;
    const short = mayShorten ? shape.shorten?.(whole, maxTokens, (draft) => count(draft, index)) : undefined;
    if (short === undefined || count(short, index) > maxTokens) return undefined;
    shortened.add(index);
    return short;
  };
  let left = budgetTokens;
  for (let index = messages.length - 1; options.pinned && index >= firstIndex; index--) {
    const message = messages[index] as M;
    const pin = options.pinned(message) ? keepAlone(message, index, left) : undefined;
    if (pin === undefined) continue;
    pins.set(index, pin);
    left -= count(pin, index);
  }

  const walk = (tokens: number, mostUnused = mayShorten ? budgetTokens / 2 : Infinity) =>
    walkBack({ messages, firstIndex, shape, count, pins }, tokens, mostUnused);
  const ahead = new Map(pins);
  const { index: anchorIndex, message: anchor } = findAnchor(messages, options);
  const mayNeedAnchor =
    anchor !== undefined && !pins.has(anchorIndex) && !(anchorIndex >= 0 && anchorIndex < firstIndex);
  // Whether an anchor is needed is found out before anything is shortened, so that nothing is shortened twice.
  let window = mayNeedAnchor ? walk(left, Infinity) : walk(left);
  if (mayNeedAnchor) {
    const entry = () => window.find(({ index }) => index === anchorIndex);
    if (entry()) window = walk(left);
    if (entry()?.kept === undefined) {
      const most = Math.floor(Math.min(budgetTokens / 3, anchorMaxTokens, anchorCeilingTokens, left));
      const kept = keepAlone(anchor, anchorIndex, most);
      if (kept !== undefined) {
        ahead.set(anchorIndex, kept);
        // A shortened anchor pays its whole share, whatever was made of it: so a larger budget never keeps less.
        window = walk(left - (shortened.has(anchorIndex) ? most : count(kept, anchorIndex)));
      }
      if (kept === undefined || !window.some(isKept)) {
        ahead.delete(anchorIndex);
        window = walk(left);
      }
    }
  }

  let startIndex = messages.length;
  for (const { index, kept, isShortened } of window) {
    if (kept === undefined) continue;
    startIndex = index;
    ahead.set(index, kept);
    if (isShortened) shortened.add(index);
  }
  const kept = [...ahead].sort(([a], [b]) => a - b);
  const changed = kept.flatMap(([index, message]) => (index >= 0 && message !== messages[index] ? index : []));
  return {
    messages: [...messages.slice(0, firstIndex), ...kept.map(([, message]) => message)],
    tokens: kept.reduce((sum, [index, message]) => sum + count(message, index), 0),
    startIndex,
    ...(anchorIndex >= 0 && anchorIndex < startIndex && ahead.has(anchorIndex) ? { anchorIndex } : {}),
    omitted: window
      .filter((entry) => entry.index > startIndex && !isKept(entry))
      .map(({ index, reason }) => ({ index, reason }))
      .reverse(),
    shortened: changed.filter((index) => shortened.has(index)),
    repaired: changed.filter((index) => !shortened.has(index)),
  };
}

const isKept = <M>({ kept }: Entry<M>): boolean => kept !== undefined;

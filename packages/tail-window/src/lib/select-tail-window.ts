import { assemble } from "./assemble.ts";
import { checkedCounter, checkedRole, checkedTokens, refuse } from "./checked-input.ts";
import { type Entry, isKept, readEntry } from "./entry.ts";
import { findAnchor } from "./find-anchor.ts";
import { keepAlone } from "./keep-unit.ts";
import type { SelectOptions, TailWindow } from "./tail-window.ts";
import { walkBack } from "./walk-back.ts";

const anchorCeilingTokens = 20_000;

/**
 * The newest messages that fit the budget: contiguous, every role, no tool result without its call and no call without
 * its result. The message or exchange that would end the window is kept shortened when more than half of the budget
 * would stay unused, and always when it is the newest. An anchor is kept also where nothing behind it can be.
 *
 * The window is empty only when there is nothing to keep or the newest message cannot be made short enough, as may be
 * with a budget under 64. Leading system messages come first and cost nothing.
 * Each message of the window and of the unit that ends it is counted once (one that answers calls of several messages
 * once for each of them), a shortened one up to eight times more. Nothing older is read, except back to the request for
 * an `anchor` and everything for `pinned`.
 *
 * @throws TypeError or RangeError that names the option and its value, or the message by its index: an option that is
 * no number of tokens, a counter that throws or returns one that is none, an unknown role, an anchor that is not there.
 */
export function selectTailWindow<M>(messages: readonly M[], options: NoInfer<SelectOptions<M>>): TailWindow<M> {
  const { shape, pinned } = options;
  if (!shape) refuse("shape", "a MessageShape", shape);
  const budgetTokens = checkedTokens("budgetTokens", options.budgetTokens);
  const anchorMaxTokens = checkedTokens("anchorMaxTokens", options.anchorMaxTokens ?? anchorCeilingTokens);
  const count = checkedCounter(options.countTokens);
  let firstIndex = 0;
  while (firstIndex < messages.length && checkedRole(messages[firstIndex] as M, firstIndex, shape) === "system") {
    firstIndex += 1;
  }
  const selection = { messages, firstIndex, shape, count, budgetTokens, leftTokens: budgetTokens };

  // Pinned messages leave the newest one what an anchor leaves it, if it needs so much.
  const newest = messages.at(-1) as M;
  const needsRoom = pinned && messages.length > firstIndex && !pinned(newest);
  const reserved = needsRoom ? Math.min(count(newest, messages.length - 1), Math.floor((budgetTokens * 2) / 3)) : 0;
  selection.leftTokens -= reserved;
  const paid = new Map<number, Entry<M>>();
  for (let index = messages.length - 1; pinned && index >= firstIndex; index--) {
    const entry = pinned(messages[index] as M) ? readEntry(messages[index] as M, index, selection) : undefined;
    if (entry && keepAlone(entry, selection)) paid.set(index, entry);
  }
  selection.leftTokens += reserved;
  const anchor = findAnchor(selection, options.anchor);
  const { leftTokens } = selection;
  const isReturnedAnyway = (index: number) => paid.has(index) || (index >= 0 && index < firstIndex);
  if (anchor?.message && !isReturnedAnyway(anchor.index)) {
    const most = Math.floor(Math.min(budgetTokens / 3, anchorMaxTokens, anchorCeilingTokens, leftTokens / 2));
    // It pays its whole share even when it is made shorter than that: so a larger budget never keeps less.
    anchor.tokens = Math.min(count(anchor.message, anchor.index), most);
    selection.leftTokens -= anchor.tokens;
    paid.set(anchor.index, anchor);
    const window = walkBack(selection, paid);
    selection.leftTokens = 0;
    if (isKept(anchor) || keepAlone(anchor, selection)) {
      return assemble(selection, paid, window, anchor.index);
    }
    selection.leftTokens = leftTokens;
    paid.delete(anchor.index);
  }
  return assemble(selection, paid, walkBack(selection, paid), anchor?.index);
}

import { assemble } from "./assemble.ts";
import { checkedCounter, checkedRole, checkedTokens, refuse } from "./checked-input.ts";
import { type Entry, readEntry } from "./entry.ts";
import { findAnchor } from "./find-anchor.ts";
import { keepUnit } from "./keep-unit.ts";
import type { SelectOptions, TailWindow } from "./tail-window.ts";
import { walkBack } from "./walk-back.ts";

const anchorCeilingTokens = 20_000;

/**
 * The newest messages that fit the budget: contiguous, every role, no tool result without its call and no call without
 * its result. The message or exchange that would end the window is kept shortened when more than half of the budget
 * would stay unused, and always when it is the newest. An anchor is kept also where nothing behind it can be.
 *
 * The window is empty only when there is nothing to keep or the newest message cannot be made short enough, as may be
 * with a budget under 64, or 96 with an anchor. Leading system messages come first and cost nothing.
 * Each message of the window and of the unit that ends it is counted once (one that answers calls of several messages
 * once for each of them), a shortened one up to eight times more, one that loses some of many calls once more for each
 * halving of their number. Nothing older is read, except back to the request for an `anchor` and everything for `pinned`.
 *
 * @throws TypeError or RangeError that names the option and its value, or the message by its index: an option that is
 * no number of tokens, a counter that throws or returns one that is none, an unknown role, an anchor that is not there.
 */
export function selectTailWindow<M>(messages: readonly M[], options: NoInfer<SelectOptions<M>>): TailWindow<M> {
  const { shape, pinned, anchorMaxTokens = anchorCeilingTokens } = options;
  if (!shape) refuse("shape", "a MessageShape", shape);
  const budgetTokens = checkedTokens("budgetTokens", options.budgetTokens);
  const anchorMost = Math.min(budgetTokens / 3, checkedTokens("anchorMaxTokens", anchorMaxTokens), anchorCeilingTokens);
  const count = checkedCounter(options.countTokens);
  let firstIndex = 0;
  while (firstIndex < messages.length && checkedRole(messages[firstIndex] as M, firstIndex, shape) === "system") {
    firstIndex += 1;
  }
  const half = budgetTokens / 2;
  const selection = { messages, firstIndex, shape, count, budgetTokens, leftTokens: half };

  const paid = new Map<number, Entry<M>>();
  const keepAhead = (entry: Entry<M>) => {
    if (!entry.calls[0] && !entry.results[0]) keepUnit([entry], selection, 0);
    paid.set(entry.index, entry);
  };
  for (let index = messages.length - 1; pinned && index >= firstIndex; index--) {
    if (pinned(messages[index] as M)) keepAhead(readEntry(messages[index] as M, index, selection));
  }
  selection.leftTokens += half;

  const anchor = findAnchor(selection, options.anchor);
  const share = Math.floor(Math.min(anchorMost, selection.leftTokens / 2));
  const isLeading = anchor && anchor.index >= 0 && anchor.index < firstIndex;
  const ahead = isLeading || paid.has(anchor?.index ?? NaN) ? undefined : anchor;
  if (ahead) {
    // It pays its whole share even when it is made shorter than that: so a larger budget never keeps less.
    ahead.tokens = Math.min(count(ahead.original, ahead.index), share);
    selection.leftTokens -= ahead.tokens;
    paid.set(ahead.index, ahead);
  }
  const window = walkBack(selection, paid);
  if (ahead && ahead.kept === undefined) {
    selection.leftTokens = 0;
    keepAhead(ahead);
  }
  return assemble(selection, paid, window, anchor?.index);
}

import { checkedCounter, checkedRole, checkedTokens, refuse } from "./checked-input.ts";
import { type Entry, readEntry, type Unit } from "./entry.ts";
import { findAnchor } from "./find-anchor.ts";
import { fitUnit } from "./fit-unit.ts";
import { createPairing } from "./pair-calls.ts";
import type { SelectOptions, TailWindow } from "./tail-window.ts";

const anchorCeilingTokens = 20_000;

/**
 * The newest messages that fit the budget: contiguous, every role, no tool result without its call and no call without
 * its result. The message or exchange that would end the window is kept shortened when more than half of the budget
 * would stay unused, and always when it is the newest. An anchor is kept also where nothing behind it can be.
 *
 * The window is empty only when there is nothing to keep or the newest message cannot be made short enough, as may be
 * with a budget under 64, or 96 with an anchor. Leading system messages come first and cost nothing.
 * Each message of the window and of the unit that ends it is counted once (one that answers calls of several messages
 * once for each of them), a shortened one up to eight times more. Nothing older is read, except back to the request for
 * an `anchor` and everything for `pinned`.
 *
 * @throws TypeError or RangeError that names the option and its value, or the message by its index: an option that is
 * no number of tokens, a counter that throws or returns one that is none, an unknown role, an anchor that is not there.
 */
export function selectTailWindow<M>(messages: readonly M[], options: NoInfer<SelectOptions<M>>): TailWindow<M> {
  const { shape, pinned, anchor, anchorMaxTokens = anchorCeilingTokens } = options;
  if (!shape) refuse("shape", shape);
  const budgetTokens = checkedTokens("budgetTokens", options.budgetTokens);
  const anchorMost = Math.min(budgetTokens / 3, checkedTokens("anchorMaxTokens", anchorMaxTokens), anchorCeilingTokens);
  const half = budgetTokens / 2;
  let leftTokens = half;

  const counter = checkedCounter(options.countTokens);
  const count = (message: M, { index }: Entry<M>): number => counter(message, index);
  const entries = new Map<number, Entry<M>>();
  const read = (index: number, original = messages[index] as M): Entry<M> => {
    const entry = entries.get(index) ?? readEntry(original, index, shape);
    entries.set(index, entry);
    return entry;
  };
  /** Pays for what is kept of a unit. Tells whether older messages may follow. */
  const keep = (unit: Unit<M>, fewestCalls: number): boolean => {
    const draft = fitUnit(unit, { shape, count, leftTokens, fewestCalls });
    for (const { entry, long, message } of draft?.fits ?? []) {
      leftTokens += entry.tokens;
      entry.tokens = count(message, entry);
      leftTokens -= entry.tokens;
      entry.kept = message;
      entry.isShortened = message !== long;
    }
    // Where only a picture was lost the window goes on: text would have been kept to fill the room.
    return draft?.loses === "nothing" || (draft?.loses === "text" && leftTokens > half);
  };
  const keepAhead = (entry: Entry<M>) => keep({ entries: [entry], links: [] }, 0);

  let firstIndex = 0;
  while (firstIndex < messages.length && checkedRole(messages[firstIndex] as M, firstIndex, shape) === "system") {
    firstIndex += 1;
  }
  let index = messages.length;
  for (let at = index; pinned && at-- > firstIndex; ) if (pinned(messages[at] as M)) keepAhead(read(at));
  leftTokens += half;

  const found = findAnchor(messages, anchor, shape);
  const isLeading = found !== undefined && found.index >= 0 && found.index < firstIndex;
  const goal = found && !isLeading ? read(found.index, found.message) : undefined;
  if (goal && !goal.kept) {
    // It pays its whole share even when it is made shorter than that: so a larger budget never keeps less.
    goal.tokens = Math.min(count(goal.original, goal), Math.floor(anchorMost));
    leftTokens -= goal.tokens;
  }

  const pair = createPairing<M>();
  const readNext = (): Entry<M> => {
    index -= 1;
    const entry = read(index);
    pair(entry);
    const running = shape.answeredOnSend?.(entry.original, messages.at(-1) as M) ?? [];
    for (const call of entry.calls) if (running.includes(call.id)) call.answerer ??= read(messages.length - 1);
    entry.isAboutToRun = running.length > 0;
    return entry;
  };
  let newest: Entry<M> | undefined;
  for (let mayFollow = true; mayFollow && index > firstIndex; ) {
    const members = [readNext()];
    while (index > firstIndex && shape.joinsNext?.(messages[index - 1] as M, messages[index] as M)) {
      members.push(readNext());
    }
    const links = members.flatMap(({ calls }) => calls);
    const unit = new Set([...members, ...links.flatMap(({ answerer }) => answerer ?? [])]);
    const isNewest = !newest || unit.has(newest);
    const sorted = [...unit].sort((a, b) => b.index - a.index);
    mayFollow = keep({ entries: sorted, links }, isNewest ? 0 : leftTokens > half ? 1 : Infinity);
    newest ??= sorted.find(({ kept }) => kept !== undefined);
  }
  if (goal && !goal.kept) {
    leftTokens = 0;
    keepAhead(goal);
  }

  const all = [...entries.values()].sort((a, b) => a.index - b.index);
  const kept = all.filter((entry) => entry.kept !== undefined);
  const startIndex = kept.find((entry) => entry.index >= index)?.index ?? messages.length;
  const isAhead = found && found.index >= 0 && found.index < startIndex && (isLeading || goal?.kept);
  return {
    messages: [...messages.slice(0, firstIndex), ...kept.map((entry) => entry.kept as M)],
    tokens: kept.reduce((sum, { tokens }) => sum + tokens, 0),
    startIndex,
    ...(isAhead && { anchorIndex: found.index }),
    omitted: all.flatMap(({ index, reason, kept }) => (index > startIndex && !kept ? { index, reason } : [])),
    shortened: kept.flatMap(({ index, isShortened }) => (isShortened ? index : [])),
    repaired: kept.flatMap(({ index, isShortened, kept, original }) => (isShortened || kept === original ? [] : index)),
  };
}

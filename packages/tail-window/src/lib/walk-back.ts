import { type Entry, isKept, type Link, leaveOut, readEntry, type Selection } from "./entry.ts";
import { keepUnit } from "./keep-unit.ts";

/**
 * Every message that was read, newest first, with what is kept of it. Units are taken while they fit: a message, or an
 * exchange with all its results when the message that made the calls is reached. The unit that ends the window is kept
 * shortened when more than half of the budget would stay unused, or nothing is kept yet; the walk goes on behind
 * the newest one if that lost so much, a picture or reasoning, that half of the budget is still there.
 *
 * Pairing is by position: walking back, a call takes the nearest result behind it with its id that no nearer call took,
 * which is the same as every result taking its nearest unanswered call.
 */
export function walkBack<M>(selection: Selection<M>, paid: ReadonlyMap<number, Entry<M>>): Entry<M>[] {
  const { messages, firstIndex, shape, budgetTokens } = selection;
  const entries: Entry<M>[] = [];
  const waiting = new Map<string, Link<M>[]>();
  let index = messages.length;

  const readNext = (): Entry<M> => {
    index -= 1;
    const message = messages[index] as M;
    const entry = paid.get(index) ?? readEntry(message, index, selection);
    entries.push(entry);
    const onSend = shape.answeredOnSend?.(message, messages.at(-1) as M) ?? [];
    entry.calls = entry.calls.map(({ id }) => {
      const link = waiting.get(id)?.pop() ?? { id, answerer: onSend.includes(id) ? entries[0] : undefined };
      if (!entry.message && link.answerer) leaveOut(link.answerer, "discarded");
      link.caller = entry;
      return link;
    });
    for (const link of entry.results) {
      link.answerer = entry;
      const queue = waiting.get(link.id) ?? [];
      waiting.set(link.id, queue);
      queue.push(link);
    }
    return entry;
  };

  /** Whether the provider wants the next older message with this one, or this one answers a call of that one. */
  const joinsPrevious = ({ results }: Entry<M>): boolean => {
    if (index === firstIndex) return false;
    if (results.length > 0) {
      const calls = shape.toolCallIds(messages[index - 1] as M);
      return results.some(({ id }) => calls.includes(id));
    }
    const isAssistant = shape.role(messages[index] as M) === "assistant";
    return (isAssistant && shape.joinsNext?.(messages[index - 1] as M, messages[index] as M)) ?? false;
  };

  const isHalfUnused = (): boolean => selection.leftTokens > budgetTokens / 2;

  while (index > firstIndex) {
    const newest = readNext();
    const members = [newest];
    for (let entry = newest; joinsPrevious(entry); members.push(entry)) entry = readNext();
    const isNewest = !entries.some(isKept);
    // What does not fit ends the window, shortened if much would stay unused; the newest even without its calls.
    const fewestCalls = isNewest ? 0 : isHalfUnused() ? 1 : Infinity;
    if (keepUnit(members, selection, fewestCalls)) continue;
    if (!isKept(newest) && shape.role(messages[newest.index] as M) === "user") {
      // A user message that answers calls may say more than that, which can stand without the exchange.
      for (const link of newest.results) link.isPaired = false;
      keepUnit([newest], selection, fewestCalls);
    }
    const lostCalls = members.some(({ calls }) => calls.some(({ answerer, isPaired }) => answerer && !isPaired));
    if (lostCalls || !isNewest || !members.some(isKept) || !isHalfUnused()) break;
  }
  return entries;
}

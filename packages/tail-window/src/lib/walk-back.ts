import { type Entry, type Link, readEntry, type Selection } from "./entry.ts";
import { keepUnit } from "./keep-unit.ts";

/**
 * Every message that was read, newest first, with what is kept of it. Units are taken while they fit: a message, or
 * messages that the provider wants together, with all results of their calls. The unit that ends the window is kept
 * shortened when it is the newest or more than half of the budget would stay unused.
 *
 * Pairing is by position: walking back, a call takes the nearest result behind it with its id that no nearer call took,
 * which is the same as every result taking its nearest unanswered call.
 */
export function walkBack<M>(selection: Selection<M>, paid: ReadonlyMap<number, Entry<M>>): Entry<M>[] {
  const { messages, firstIndex, shape, budgetTokens } = selection;
  const entries: Entry<M>[] = [];
  const kept = new Set<Entry<M>>();
  const waiting = new Map<string, Link<M>[]>();
  let index = messages.length;

  const readNext = (): Entry<M> => {
    index -= 1;
    const message = messages[index] as M;
    const entry = paid.get(index) ?? readEntry(message, index, selection);
    entries.push(entry);
    const toRun = shape.answeredOnSend?.(message, messages.at(-1) as M) ?? [];
    // Of calls with equal ids the first one stays longest, so that its result must be that of the last link.
    const calls = entry.calls.toReversed().map(({ id }) => {
      const isAboutToRun = toRun.includes(id);
      const link = waiting.get(id)?.pop() ?? { id, isAboutToRun, answerer: isAboutToRun ? entries[0] : undefined };
      if (!entry.message && link.answerer) link.answerer.reason = "discarded";
      link.caller = entry;
      return link;
    });
    entry.calls = calls.reverse();
    for (const link of entry.results) {
      link.answerer = entry;
      const queue = waiting.get(link.id) ?? [];
      waiting.set(link.id, queue);
      queue.push(link);
    }
    return entry;
  };

  for (let mayFollow = true; mayFollow && index > firstIndex; ) {
    const members = [readNext()];
    while (index > firstIndex && shape.joinsNext?.(messages[index - 1] as M, messages[index] as M)) {
      members.push(readNext());
    }
    const answerers = members.flatMap(({ calls }) => calls.flatMap(({ answerer }) => answerer ?? []));
    const unit = new Set([...members, ...answerers]);
    const isNewest = kept.size <= unit.size && [...kept].every((entry) => unit.has(entry));
    const isHalfUnused = selection.leftTokens > budgetTokens / 2;
    // The newest is kept even without its calls.
    mayFollow = keepUnit(members, selection, isNewest ? 0 : isHalfUnused ? 1 : Infinity);
    for (const entry of unit) if (entry.kept !== undefined) kept.add(entry);
  }
  return entries;
}

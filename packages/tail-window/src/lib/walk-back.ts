import { type Alone, type Entry, readEntry, type Source } from "./entry.ts";
import { type Form, formsOf } from "./forms.ts";
import { closeMatches, type Match, open } from "./match.ts";
import { shortenUnit } from "./shorten-unit.ts";

/**
 * Every message that was read, newest first, with what is kept of it. Units are taken while they fit: a message, or an
 * exchange with all its results when the message that made the calls is reached. The unit that ends the window is kept
 * shortened when more than `mostUnused` tokens would be left, or nothing is kept yet; `Infinity` never shortens.
 *
 * Pairing is by position: walking back, a call takes the nearest result behind it with its id that no nearer call took,
 * which is the same as every result taking its nearest unanswered call.
 */
export function walkBack<M>(
  source: Source<M>,
  pins: ReadonlyMap<number, Alone<M>>,
  budgetTokens: number,
  mostUnused: number,
): Entry<M>[] {
  const { messages, firstIndex, shape, count, mayShorten } = source;
  const entries: Entry<M>[] = [];
  const waiting = new Map<string, Entry<M>[]>();
  let left = budgetTokens;

  /** Keeps the forms if they fit; what is not in `whole` is noted as shortened. */
  const take = (forms: readonly Form<M>[], whole = forms): boolean => {
    const added = forms.reduce((sum, { entry, message }) => sum + count(message, entry.index) - entry.tokens, 0);
    if (added > left) return false;
    left -= added;
    for (const { entry, message } of forms) {
      entry.kept = message;
      entry.tokens = count(message, entry.index);
      entry.isShortened ||= whole.every((form) => form.message !== message);
    }
    return true;
  };
  const end = (unit: Iterable<Entry<M>>, matches: Match<M>[]): boolean => {
    const forms = formsOf(unit, shape);
    for (const { entry } of forms) entry.reason = "budget";
    if (take(forms)) return true;
    const isEarly =
      mayShorten && mostUnused < Infinity && (left > mostUnused || entries.every(({ kept }) => kept === undefined));
    const shortened = isEarly ? shortenUnit(unit, matches, left, source) : [];
    return shortened.length > 0 && take(shortened, forms);
  };

  for (let index = messages.length; index > firstIndex; ) {
    const unit = new Set<Entry<M>>();
    const matches: Match<M>[] = [];
    let entry: Entry<M>;
    let isJoined: boolean | undefined;
    do {
      index -= 1;
      entry = readEntry(index, source, pins.get(index));
      entries.push(entry);
      unit.add(entry);
      for (const id of entry.openResultIds) {
        const queue = waiting.get(id) ?? [];
        queue.push(entry);
        waiting.set(id, queue);
      }
      const [newest = entry] = entries;
      const onSend = shape.answeredOnSend?.(entry.message, newest.message);
      for (const id of [...entry.openCallIds]) {
        const answerer = waiting.get(id)?.pop() ?? (onSend?.includes(id) ? newest : undefined);
        if (!answerer) continue;
        if (entry.isDiscarded) answerer.reason = "discarded";
        else matches.push({ id, caller: entry, answerer });
      }
      isJoined =
        index > firstIndex &&
        (entry.role === "assistant"
          ? shape.joinsNext?.(messages[index - 1] as M)
          : entry.role === "user" &&
            shape.toolCallIds(messages[index - 1] as M).some((id) => entry.openResultIds.includes(id)));
    } while (isJoined);

    const [newest] = unit;
    const standing = closeMatches(matches, shape);
    for (const { answerer } of standing) unit.add(answerer);
    if (take(formsOf(unit, shape))) continue;
    if (!end(unit, standing) && newest?.role === "user") {
      // A user message that answers calls may say more than that, which can stand without the exchange.
      standing.forEach(open);
      end([newest], []);
    }
    break;
  }
  return entries;
}

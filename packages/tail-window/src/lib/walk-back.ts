import { type Entry, readEntry } from "./entry.ts";
import { type Form, formsOf, type Match } from "./forms.ts";
import { shortenUnit } from "./shorten-unit.ts";
import type { Source } from "./source.ts";

export interface WalkOptions {
  readonly budgetTokens: number;
  /** The unit that ends the window is kept shortened when more than this would be left of the budget, or nothing is kept yet. */
  readonly mostUnusedTokens: number;
  readonly mayShorten: boolean;
}

/**
 * Every message that was read, newest first, with what is kept of it. Units are taken while they fit: a message, or an
 * exchange with all its results, when the message that made the calls is reached. Pairing is by position: walking back,
 * a call takes the nearest result behind it with its id that no nearer call took, which is the same as every result
 * taking its nearest unanswered call.
 */
export function walkBack<M>(
  source: Source<M>,
  { budgetTokens, mostUnusedTokens, mayShorten }: WalkOptions,
): Entry<M>[] {
  const { messages, firstIndex, shape, count } = source;
  const entries: Entry<M>[] = [];
  const waiting = new Map<string, Entry<M>[]>();
  let left = budgetTokens;
  /** Keeps the forms if they fit; shorter ones than `whole` are noted. */
  const take = (forms: readonly Form<M>[], whole = forms): boolean => {
    const added = forms.reduce((sum, { entry, message }) => sum + count(message, entry.index) - entry.keptTokens, 0);
    if (added > left) return false;
    left -= added;
    for (const { entry, message, openResultIds } of forms) {
      entry.kept = message;
      entry.keptTokens = count(message, entry.index);
      entry.openResultIds = openResultIds;
      entry.isShortened = whole.every((form) => form.message !== message);
    }
    return true;
  };

  for (let index = messages.length; index > firstIndex; ) {
    const members: Entry<M>[] = [];
    const matches: Match<M>[] = [];
    let isJoined: boolean | undefined;
    do {
      index -= 1;
      const entry = readEntry(index, source);
      entries.push(entry);
      members.push(entry);
      for (const id of entry.openResultIds) {
        const queue = waiting.get(id);
        if (queue) queue.push(entry);
        else waiting.set(id, [entry]);
      }
      const [newest = entry] = entries;
      const onSend = shape.answeredOnSend?.(entry.message, newest.message);
      for (const id of entry.callIds) {
        const answerer = waiting.get(id)?.pop() ?? (onSend?.includes(id) ? newest : undefined);
        if (!answerer) continue;
        if (entry.reason === "discarded") answerer.reason = "discarded";
        else matches.push({ id, caller: entry, answerer });
      }
      const next = messages[index - 1] as M;
      isJoined =
        index > firstIndex &&
        (entry.role === "assistant"
          ? shape.joinsNext?.(next)
          : entry.role === "user" && shape.toolCallIds(next).some((id) => entry.openResultIds.includes(id)));
    } while (isJoined);

    if (take(formsOf(members, matches, source))) continue;

    const endsEarly = mayShorten && (left > mostUnusedTokens || entries.every(({ kept }) => kept === undefined));
    const end = (unit: readonly Entry<M>[], pairs: readonly Match<M>[]): boolean => {
      const forms = formsOf(unit, pairs, source);
      for (const { entry } of forms) entry.reason = "budget";
      if (take(forms)) return true;
      const shortened = endsEarly ? shortenUnit(unit, pairs, left, source) : [];
      return shortened.length > 0 && take(shortened, forms);
    };
    // A message that answers calls may say something else: that much of it can stand without the exchange.
    if (!end(members, matches)) end(members.slice(0, 1), []);
    break;
  }
  return entries;
}

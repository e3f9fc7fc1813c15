import { type Form, formsOf } from "./forms.ts";
import type { MessageShape } from "./message-shape.ts";
import { shortenUnit } from "./shorten-unit.ts";
import { type Entry, type Unit, unitsFromTheEnd } from "./units.ts";

/** A list with its leading system messages behind `firstIndex`, and the ways to look at it. */
export interface Source<M> {
  readonly messages: readonly M[];
  readonly firstIndex: number;
  readonly shape: MessageShape<M>;
  readonly mayShorten: boolean;
  /** Remembers, so that asking twice counts once. */
  count(message: M, index: number): number;
}

/** A message as it is kept. */
export interface Kept<M> {
  readonly message: M;
  readonly tokens: number;
  readonly isShortened: boolean;
}

/** Kept messages by their index in the input. */
export type KeptMessages<M> = ReadonlyMap<number, Kept<M>>;

interface PricedUnit<M> extends Unit<M> {
  readonly forms: readonly Form<M>[];
  /** What its forms count, less what newer units paid for their parts of the same messages. */
  readonly addedTokens: number;
}

/** The units from the newest back to the first one that exceeds the budget. */
export interface Walk<M> {
  readonly taken: readonly PricedUnit<M>[];
  readonly ending: PricedUnit<M> | undefined;
  /** Every message that was read, newest first. */
  readonly entries: readonly Entry<M>[];
  /** Index of the oldest message that was read; the length of the input when none was. */
  readonly oldestRead: number;
}

/** Walks back while the units fit. Messages in `paid` are kept already and cost nothing. */
export function walkBack<M>(source: Source<M>, budgetTokens: number, paid: KeptMessages<M>): Walk<M> {
  const { messages, firstIndex, shape, count } = source;
  const taken: PricedUnit<M>[] = [];
  const entries: Entry<M>[] = [];
  let ending: PricedUnit<M> | undefined;
  const paidTokens = new Map([...paid].map(([index, { tokens }]) => [index, tokens]));
  let left = budgetTokens;
  for (const unit of unitsFromTheEnd(messages, firstIndex, shape)) {
    entries.push(...unit.members);
    const forms = formsOf(unit, unit.matches, shape).map(({ entry, message }) => ({
      entry,
      message: paid.get(entry.index)?.message ?? message,
    }));
    let addedTokens = 0;
    for (const { entry, message } of forms) {
      const tokens = count(message, entry.index);
      addedTokens += tokens - (paidTokens.get(entry.index) ?? 0);
      paidTokens.set(entry.index, tokens);
    }
    const priced = { ...unit, forms, addedTokens };
    if (addedTokens > left) {
      ending = priced;
      break;
    }
    taken.push(priced);
    left -= addedTokens;
  }
  return { taken, ending, entries, oldestRead: entries.at(-1)?.index ?? messages.length };
}

/**
 * The window that `budgetTokens` allow, of a walk that had at least as many. The unit that ends it is kept shortened
 * when more than `mostUnused` tokens would be left over, and always when it is the newest.
 */
export function windowWithin<M>(
  source: Source<M>,
  walk: Walk<M>,
  budgetTokens: number,
  mostUnused: number,
): KeptMessages<M> {
  const { shape, count, mayShorten } = source;
  const kept = new Map<number, Kept<M>>();
  let left = budgetTokens;
  let ending = walk.ending;
  for (const unit of walk.taken) {
    if (unit.addedTokens > left) {
      ending = unit;
      break;
    }
    left -= unit.addedTokens;
    for (const { entry, message } of unit.forms) {
      kept.set(entry.index, { message, tokens: count(message, entry.index), isShortened: false });
    }
  }
  if (!ending) return kept;

  const keepShortened = (unit: Unit<M>, wholeForms: readonly Form<M>[]): boolean => {
    const whole = new Map(wholeForms.map(({ entry, message }) => [entry, message]));
    let room = left;
    for (const { entry } of wholeForms) room += kept.get(entry.index)?.tokens ?? 0;
    const forms = shortenUnit(unit, room, shape, count);
    for (const { entry, message } of forms) {
      const isShortened = message !== whole.get(entry);
      kept.set(entry.index, { message, tokens: count(message, entry.index), isShortened });
    }
    return forms.length > 0;
  };
  const endsTooEarly = mayShorten && (kept.size === 0 || left > mostUnused);
  if (endsTooEarly && keepShortened(ending, ending.forms)) return kept;

  // A message that answers calls may say more than that: so much of it stands without the exchange.
  const [newest] = ending.members;
  if (newest && newest.resultIds.length > 0 && !kept.has(newest.index)) {
    const rest = { members: [newest], matches: [], earlierMatches: [] };
    const [form] = formsOf(rest, [], shape);
    if (form) {
      const tokens = count(form.message, newest.index);
      if (tokens <= left) kept.set(newest.index, { message: form.message, tokens, isShortened: false });
      else if (endsTooEarly) keepShortened(rest, [form]);
    }
  }
  return kept;
}

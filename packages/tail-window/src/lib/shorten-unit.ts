import { fairShares } from "./fair-shares.ts";
import { type Form, formsOf } from "./forms.ts";
import type { MessageShape } from "./message-shape.ts";
import { standingMatches, type Unit } from "./units.ts";

/** Tokens above its shortest form that a tool result keeps before other text of its exchange is shortened. */
const readableTokens = 64;

/**
 * What is kept of a unit in at most `room` tokens, oldest first; nothing when it cannot be made short enough. Where
 * the shortest forms do not fit, its reasoning goes, then its oldest calls with their results.
 */
export function shortenUnit<M>(
  unit: Unit<M>,
  room: number,
  shape: MessageShape<M>,
  count: (message: M, index: number) => number,
): Form<M>[] {
  const tokensOf = ({ entry, message }: Form<M>) => count(message, entry.index);
  const shortened = ({ entry, message }: Form<M>, maxTokens: number): Form<M> => ({
    entry,
    message: shape.shorten?.(message, maxTokens, (draft) => count(draft, entry.index)) ?? message,
  });
  const shortestForms = new Map<M, Form<M>>();
  const shortest = (form: Form<M>): Form<M> => {
    const known = shortestForms.get(form.message) ?? shortened(form, 0);
    shortestForms.set(form.message, known);
    return known;
  };

  const whole = formsOf(unit, unit.matches, shape);
  const unreasoned = withoutReasoning(whole, shape);
  /** Only these are lengthened again: what lost calls or results as a last resort stays at its shortest. */
  const lengthened = new Set([...whole, ...unreasoned].map(({ message }) => message));
  const fewer = fewerMatches(unit).map((chosen) => () => {
    const matches = standingMatches(chosen, unit.earlierMatches, shape);
    return withoutReasoning(formsOf(unit, matches, shape), shape);
  });
  for (const candidate of [() => whole, () => unreasoned, ...fewer]) {
    const forms = candidate();
    const spare = forms.reduce((left, form) => left - tokensOf(shortest(form)), room);
    if (spare >= 0) return lengthen(forms, spare);
  }
  return [];

  /** Shares `spare` out: to results up to a readable length, to the other messages, and the rest to the results. */
  function lengthen(forms: readonly Form<M>[], spare: number): Form<M>[] {
    let left = spare;
    const kept = new Map(forms.map((form) => [form, shortest(form)]));
    const wanted = (form: Form<M>) =>
      lengthened.has(form.message) ? Math.max(0, tokensOf(form) - tokensOf(shortest(form))) : 0;
    const give = (chosen: readonly Form<M>[], most: number) => {
      const shares = fairShares(Math.min(left, most), chosen.map(wanted));
      chosen.forEach((form, at) => {
        const share = shares[at] ?? 0;
        if (share <= 0) return;
        const longer = shortened(form, tokensOf(shortest(form)) + share);
        const gained = tokensOf(longer) - tokensOf(shortest(form));
        if (gained > left) return;
        kept.set(form, longer);
        left -= gained;
      });
    };
    const results = forms.filter(({ entry }) => entry.resultIds.length > 0);
    const reserved = results.reduce((sum, form) => sum + Math.min(readableTokens, wanted(form)), 0);
    give(
      forms.filter(({ entry }) => entry.resultIds.length === 0),
      left - reserved,
    );
    if (left >= reserved) give(results, left);
    else for (const newest of results.toReversed()) give([newest], readableTokens);
    return forms.map((form) => kept.get(form) ?? form);
  }
}

/** Ever fewer of the newest matches, at most five times, down to none. */
function fewerMatches<M>({ matches }: Unit<M>): Unit<M>["matches"][] {
  const sizes = [2, 4, 8, matches.length, Infinity].map((divisor) => Math.floor(matches.length / divisor));
  const smaller = [...new Set(sizes)].filter((size) => size < matches.length);
  return smaller.map((size) => matches.slice(matches.length - size));
}

function withoutReasoning<M>(forms: readonly Form<M>[], shape: MessageShape<M>): Form<M>[] {
  return forms.flatMap(({ entry, message }) => {
    const rest = shape.withoutReasoning ? shape.withoutReasoning(message) : message;
    if (rest === undefined) entry.reason = "budget";
    return rest === undefined ? [] : [{ entry, message: rest }];
  });
}

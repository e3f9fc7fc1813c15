import { type Claim, dealOut } from "./deal-out.ts";
import type { Entry, Selection } from "./entry.ts";
import { addedTokens, type Form, formsOf, isAboutToRun } from "./forms.ts";

/** Tokens above its shortest form that each message of an exchange gets before one of them gets more. */
const readableTokens = 64;

/**
 * What is kept of a unit that adds at most what is left; nothing when it cannot be made short enough. Where the
 * shortest forms do not fit, reasoning goes, then as many of the oldest calls with their results as must, down to
 * `fewestCalls`.
 */
export function shortenUnit<M>(
  members: readonly Entry<M>[],
  selection: Selection<M>,
  fewestCalls: number,
): readonly Form<M>[] {
  const { shape, count, leftTokens } = selection;
  if (!shape.shorten || fewestCalls === Infinity) return [];
  const shortened = (message: M, { index }: Entry<M>, maxTokens: number): M =>
    shape.shorten?.(message, maxTokens, (draft) => count(draft, index)) ?? message;
  const shortest = new Map<M, M>();
  const shortestWith = (mostCalls: number, isBare = true) => {
    const forms: readonly Form<M>[] = formsOf(members, shape, mostCalls, isBare).map(({ entry, message: long }) => {
      const message = isAboutToRun(entry) ? long : (shortest.get(long) ?? shortened(long, entry, 0));
      shortest.set(long, message);
      return { entry, message, long };
    });
    return { forms, left: leftTokens - addedTokens(forms, selection) };
  };

  const { length: calls } = members.flatMap((entry) => entry.calls);
  let draft = shortestWith(calls, false);
  if (draft.left < 0) draft = shortestWith(calls);
  if (draft.left < 0) {
    let [fewest, most] = [fewestCalls, calls];
    // The guesses are the same for every budget, so that a larger one never keeps fewer, and go on until something fits.
    for (let guesses = 4; most - fewest > 1 && (guesses > 0 || fewest === fewestCalls); guesses--) {
      const guess = (fewest + most) >> 1;
      const guessed = shortestWith(guess);
      if (guessed.left < 0) most = guess;
      else [fewest, draft] = [guess, guessed];
    }
    if (draft.left < 0) draft = shortestWith(fewest);
    if (draft.left < 0) return [];
  }
  const { forms, left } = draft;

  const tokens = (message: M, { index }: Entry<M>): number => count(message, index);
  const claims = forms.map(({ entry, message, long = message }) => ({
    rank: entry.results.length > 0 ? 2 : 1,
    wanted: tokens(long, entry) - tokens(message, entry),
    given: 0,
  }));
  dealOut(claims, left, readableTokens);
  return forms.map((form, at) => {
    const { entry, long = form.message } = form;
    const { wanted, given } = claims[at] as Claim;
    const most = tokens(form.message, entry) + given;
    const message = given < wanted ? shortened(long, entry, most) : long;
    return tokens(message, entry) > most ? form : { entry, message, long };
  });
}

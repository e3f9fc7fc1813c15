import { dealOut } from "./deal-out.ts";
import type { Entry, Unit } from "./entry.ts";
import { type Form, formsOf } from "./forms.ts";
import type { MessageShape } from "./message-shape.ts";

interface FitOptions<M> {
  readonly shape: MessageShape<M>;
  /** Tokens of the entry's message or of a form of it. Counts each object once. */
  readonly count: (message: M, entry: Entry<M>) => number;
  readonly leftTokens: number;
  /** Shortened with fewer of its calls the unit is not kept. `Infinity`: it is not shortened at all. */
  readonly fewestCalls: number;
}

/** What is kept of a message, and its claim to the room that is left where all of the unit are at their shortest. */
interface Fit<M> extends Form<M> {
  message: M;
  readonly rank: number;
  wanted: number;
  given: number;
}

/** What is kept of a unit, and what is left then, which is negative where it does not fit. */
interface Draft<M> {
  readonly fits: readonly Fit<M>[];
  readonly spareTokens: number;
  readonly loses: "nothing" | "text" | "reasoning" | "calls";
}

/** Tokens above its shortest form that each message of a unit gets before one of them gets more. */
const readableTokens = 64;

/**
 * What is kept of a unit in what is left; `undefined` where it cannot be made short enough. What does not fit loses in
 * this order: pictures of results and text, its reasoning, its oldest calls. Counts a message once, and at most eight
 * times more one that changes.
 */
export function fitUnit<M>(unit: Unit<M>, options: FitOptions<M>): Draft<M> | undefined {
  const { shape, count, leftTokens, fewestCalls } = options;
  const shorten = ({ entry, long }: Form<M>, maxTokens: number): M =>
    (!entry.isAboutToRun && shape.shorten?.(long, maxTokens, (draft) => count(draft, entry))) || long;
  const shortest = new Map<M, M>();
  const draftOf = (loses: Draft<M>["loses"], mostCalls: number): Draft<M> => {
    let spareTokens = leftTokens;
    const isBare = loses === "reasoning" || loses === "calls";
    const fits = formsOf(unit, shape, mostCalls, isBare).map((form): Fit<M> => {
      const { entry, long } = form;
      const message = loses === "nothing" ? long : (shortest.get(long) ?? shorten(form, 0));
      if (loses !== "nothing") shortest.set(long, message);
      spareTokens += entry.tokens - count(message, entry);
      return { entry, long, message, rank: entry.results[0] ? 2 : 1, wanted: 0, given: 0 };
    });
    return { fits, spareTokens, loses };
  };

  const calls = unit.links.length;
  let draft = draftOf("nothing", calls);
  if (draft.spareTokens >= 0) return draft;
  for (const { entry } of draft.fits) entry.reason = "budget";
  if (!shape.shorten || fewestCalls === Infinity) return undefined;
  draft = draftOf("text", calls);
  if (draft.spareTokens < 0) draft = draftOf("reasoning", calls);
  if (draft.spareTokens < 0) {
    const all = draft;
    if (calls > fewestCalls) draft = draftOf("calls", fewestCalls);
    if (draft.spareTokens < 0) return undefined;
    // As many more as would fit if all took the same, and fewer if they do not.
    const { spareTokens } = draft;
    const share = spareTokens / (spareTokens - all.spareTokens);
    const guess = Math.max(1, Math.floor((calls - fewestCalls) * share));
    for (const more of [guess, Math.floor(guess * 0.7)]) {
      const longer = draftOf("calls", fewestCalls + more);
      if (longer.spareTokens < 0) continue;
      draft = longer;
      break;
    }
  }

  for (const fit of draft.fits) {
    // A message that lost calls has been counted often enough.
    const mayGrow = draft.loses !== "calls" || !fit.entry.calls[0];
    if (mayGrow) fit.wanted = count(fit.long, fit.entry) - count(fit.message, fit.entry);
  }
  dealOut(draft.fits, draft.spareTokens, readableTokens);
  for (const fit of draft.fits) {
    const { entry, long, wanted, given } = fit;
    const maxTokens = count(fit.message, entry) + given;
    const longer = given < wanted ? shorten(fit, maxTokens) : wanted > 0 ? long : fit.message;
    if (count(longer, entry) <= maxTokens) fit.message = longer;
  }
  return draft;
}

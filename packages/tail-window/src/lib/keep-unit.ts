import { type Entry, isKept, leaveOut, type Selection } from "./entry.ts";
import { addedTokens, formsOf, tokensOf } from "./forms.ts";
import { shortenUnit } from "./shorten-unit.ts";

/**
 * Keeps messages that belong together, with the results of their calls, and pays for them: whole if they fit, else
 * shortened, with at least `fewestCalls` of their calls if so many can be kept; `Infinity` never shortens. Tells
 * whether they fit.
 */
export function keepUnit<M>(members: readonly Entry<M>[], selection: Selection<M>, fewestCalls: number): boolean {
  const whole = formsOf(members, selection.shape);
  const fits = addedTokens(whole, selection) <= selection.leftTokens;
  if (!fits) for (const { entry } of whole) leaveOut(entry, "budget");
  const forms = fits ? whole : fewestCalls < Infinity ? shortenUnit(members, selection, fewestCalls) : [];
  selection.leftTokens -= addedTokens(forms, selection);
  for (const form of forms) {
    const { entry, message } = form;
    entry.kept = message;
    entry.tokens = tokensOf(form, selection);
    entry.state = message === entry.original ? "whole" : "repaired";
    if (message !== form.whole) entry.state = "shortened";
  }
  return fits;
}

/** Keeps a message that takes part in no exchange, whole or shortened. Tells whether it is kept. */
export function keepAlone<M>(entry: Entry<M>, selection: Selection<M>): boolean {
  if (entry.calls.length + entry.results.length === 0) keepUnit([entry], selection, 0);
  return isKept(entry);
}

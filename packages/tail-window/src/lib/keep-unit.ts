import type { Entry, Selection } from "./entry.ts";
import { addedTokens, type Form, formsOf } from "./forms.ts";
import { shortenUnit } from "./shorten-unit.ts";

/**
 * Keeps messages that belong together, with the results of their calls, and pays for them: whole if they fit, else
 * shortened with at least `fewestCalls` of their calls if so many can be kept; `Infinity` never shortens. Tells whether
 * older messages may follow: they fit, or they lost pictures and nothing else, and more than half of the budget is left.
 */
export function keepUnit<M>(members: readonly Entry<M>[], selection: Selection<M>, fewestCalls: number): boolean {
  const whole = formsOf(members, selection.shape);
  const fits = addedTokens(whole, selection) <= selection.leftTokens;
  if (!fits) for (const { entry } of whole) entry.reason = "budget";
  const forms: readonly Form<M>[] = fits ? whole : shortenUnit(members, selection, fewestCalls);
  selection.leftTokens -= addedTokens(forms, selection);
  for (const { entry, message, long = message } of forms) {
    entry.kept = message;
    entry.tokens = selection.count(message, entry.index);
    entry.isShortened = message !== long;
  }
  const lostPictures = whole.every(({ message }, at) => forms[at]?.long === message);
  return fits || (lostPictures && selection.leftTokens > selection.budgetTokens / 2);
}

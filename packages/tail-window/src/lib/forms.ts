import type { Entry, Link, Unit } from "./entry.ts";
import type { MessageShape } from "./message-shape.ts";

/** What can be kept of a message before it is shortened. */
export interface Form<M> {
  readonly entry: Entry<M>;
  readonly long: M;
}

/**
 * What can be kept of a unit, newest message first. What has no counterpart is taken out, what is then blank or only
 * reasoning goes too, and a message whose shape cannot take it out goes whole. Of the calls only the newest `mostCalls`
 * are kept; `isBare` leaves reasoning out.
 */
export function formsOf<M>(
  { entries, links }: Unit<M>,
  shape: MessageShape<M>,
  mostCalls: number,
  isBare: boolean,
): Form<M>[] {
  links.forEach((link, at) => {
    link.isPaired = !!link.answerer && at < mostCalls;
  });
  // A pair that breaks changes two messages, which may break others.
  for (;;) {
    const forms: Form<M>[] = [];
    let isStable = true;
    for (const entry of entries) {
      const long = formOf(entry, shape, isBare, forms.at(-1)?.long);
      if (long) forms.push({ entry, long });
      const asked = new Set(long && entry.calls[0] && shape.toolCallIds(long));
      const isBroken = (link: Link<M>) => link.isPaired && !(link.caller === entry ? asked.has(link.id) : long);
      for (const link of [...entry.calls, ...entry.results].filter(isBroken)) link.isPaired = isStable = false;
    }
    if (isStable) return forms;
  }
}

/** What is left of the message without what is not paired, or `undefined` for nothing that could be sent before `next`. */
function formOf<M>(
  { message, calls, results }: Entry<M>,
  shape: MessageShape<M>,
  isBare: boolean,
  next: M | undefined,
): M | undefined {
  const unpaired = (links: readonly Link<M>[]) => links.flatMap(({ isPaired, id }) => (isPaired ? [] : id));
  const lostCalls = unpaired(calls);
  const lostResults = unpaired(results);
  let form = message;
  if (form && lostCalls.length > 0) form = shape.withoutToolCalls?.(form, lostCalls);
  if (form && lostResults.length > 0) form = shape.withoutToolResults?.(form, lostResults);
  if (form && isBare && shape.withoutReasoning) form = shape.withoutReasoning(form);
  if (!form || lostCalls.length + lostResults.length < calls.length + results.length) return form;
  const isSilent = shape.role(form) === "tool" || (shape.isEmpty?.(form) && !(next && shape.joinsNext?.(form, next)));
  return isSilent ? undefined : form;
}

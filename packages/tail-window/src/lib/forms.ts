import type { Entry, Link, Selection } from "./entry.ts";
import type { MessageShape } from "./message-shape.ts";

/** What is kept of a message. */
export interface Form<M> {
  readonly entry: Entry<M>;
  readonly message: M;
  /** The form before it was shortened. */
  readonly long?: M;
}

/**
 * What is kept of messages that belong together and of the results of their calls. What has no counterpart is taken out,
 * what is then blank or only reasoning goes too, and a message whose shape cannot take it out goes whole. Of the calls
 * only the last `mostCalls` are kept; `isBare` leaves reasoning out.
 */
export function formsOf<M>(
  members: readonly Entry<M>[],
  shape: MessageShape<M>,
  mostCalls = Infinity,
  isBare = false,
): Form<M>[] {
  const links = members.toReversed().flatMap(({ calls }) => calls);
  links.forEach((link, at) => {
    link.isPaired = at >= links.length - mostCalls;
  });
  const answerers = links.flatMap(({ answerer }) => answerer ?? []);
  const entries = [...new Set([...members, ...answerers])].sort((a, b) => a.index - b.index);
  const forms = new Map<Entry<M> | undefined, M | undefined>();
  const asked = new Map<Entry<M> | undefined, ReadonlySet<string>>();
  const holds = ({ id, caller, answerer }: Link<M>): unknown => asked.get(caller)?.has(id) && forms.get(answerer);
  // A pair that breaks changes two messages, which may break others.
  let broken: readonly Link<M>[];
  do {
    for (const entry of entries) {
      const form = formOf(entry, shape);
      forms.set(entry, form);
      if (entry.calls.length > 0) asked.set(entry, new Set(form && shape.toolCallIds(form)));
    }
    broken = links.filter((link) => link.isPaired && !holds(link));
    for (const link of broken) link.isPaired = false;
  } while (broken.length > 0);
  const isReasoning = (message: M) => shape.joinsNext && shape.withoutReasoning && !shape.withoutReasoning(message);
  const kept = [...forms].flatMap(([entry, form]) => {
    const message =
      form && isBare && !isAboutToRun(entry) && shape.withoutReasoning ? shape.withoutReasoning(form) : form;
    return entry && message ? { entry, message } : [];
  });
  // Reasoning that is a message of its own is never kept without what it led to.
  return kept.slice(0, kept.findLastIndex(({ message }) => !isReasoning(message)) + 1);
}

/** What is left of the message without the calls and results that are not paired. */
function formOf<M>({ message, calls, results }: Entry<M>, shape: MessageShape<M>): M | undefined {
  const left = message && without(message, calls, shape, "withoutToolCalls");
  const form = left && without(left, results, shape, "withoutToolResults");
  const isPaired = [...calls, ...results].some((link) => link.isPaired);
  return isPaired || !form || !(shape.role(form) === "tool" || shape.isEmpty?.(form)) ? form : undefined;
}

function without<M>(
  message: M,
  links: readonly Link<M>[],
  shape: MessageShape<M>,
  takeOut: "withoutToolCalls" | "withoutToolResults",
): M | undefined {
  const ids = links.filter(({ isPaired }) => !isPaired).map(({ id }) => id);
  return ids.length > 0 ? shape[takeOut]?.(message, ids) : message;
}

export const isAboutToRun = <M>(entry: Entry<M> | undefined): boolean =>
  !!entry?.calls.some((link) => link.isPaired && link.isAboutToRun);

/** What the forms add to what is paid for their messages already. */
export const addedTokens = <M>(forms: readonly Form<M>[], { count }: Selection<M>): number =>
  forms.reduce((sum, { entry, message }) => sum + count(message, entry.index) - entry.tokens, 0);

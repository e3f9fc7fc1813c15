import type { Entry, Link, Selection } from "./entry.ts";
import type { MessageShape } from "./message-shape.ts";

/** What is kept of a message. */
export interface Form<M> {
  readonly entry: Entry<M>;
  readonly message: M;
  /** The form before it was shortened. */
  readonly whole: M;
}

/**
 * What is kept of messages that belong together and of the results of their calls. What has no counterpart is taken out,
 * what is then blank or only reasoning goes too, and a message whose shape cannot take it out goes whole. Of the calls
 * only the last `mostCalls` are kept.
 */
export function formsOf<M>(members: readonly Entry<M>[], shape: MessageShape<M>, mostCalls = Infinity): Form<M>[] {
  const links = members.toReversed().flatMap(({ calls }) => calls);
  links.forEach((link, at) => {
    link.isPaired = at >= links.length - mostCalls;
  });
  // A pair that breaks changes two messages, which may break others.
  for (let broken = links; broken.length > 0; ) {
    broken = links.filter((link) => link.isPaired && !holds(link, shape));
    for (const link of broken) link.isPaired = false;
  }
  const forms: Form<M>[] = [];
  const answerers = links.flatMap(({ isPaired, answerer }) => (isPaired && answerer ? answerer : []));
  // Reasoning that is a message of its own stays with what it led to, which is all that follows up to other reasoning.
  let isFollowed = false;
  let isReasoning = false;
  for (const entry of new Set([...members, ...answerers])) {
    const wasReasoning = isReasoning;
    isReasoning = isReasoningAlone(entry, shape);
    isFollowed &&= isReasoning || !wasReasoning;
    const message = isReasoning && isFollowed ? entry.message : formOf(entry, shape);
    if (!message) continue;
    isFollowed = true;
    forms.push({ entry, message, whole: message });
  }
  return forms;
}

function holds<M>({ id, caller, answerer }: Link<M>, shape: MessageShape<M>): unknown {
  const asked = caller && formOf(caller, shape);
  return asked && shape.toolCallIds(asked).includes(id) && answerer && formOf(answerer, shape);
}

const isReasoningAlone = <M>({ message, calls, results }: Entry<M>, shape: MessageShape<M>): boolean =>
  calls.length + results.length === 0 &&
  !!message &&
  !!shape.joinsNext?.(message, message) &&
  !!shape.isEmpty?.(message);

/** What is left of the message without the calls and results that are not paired. */
function formOf<M>({ message, calls, results }: Entry<M>, shape: MessageShape<M>): M | undefined {
  const left = message && without(message, calls, shape, "withoutToolCalls");
  const form = left && without(left, results, shape, "withoutToolResults");
  if (!form || shape.toolCallIds(form).length + shape.toolResultIds(form).length > 0) return form;
  return shape.role(form) === "tool" || shape.isEmpty?.(form) ? undefined : form;
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

/** Tokens of what is kept of the message. */
export const tokensOf = <M>({ entry, message }: Form<M>, { count }: Selection<M>): number =>
  count(message, entry.index);

/** What the forms add to what is paid for their messages already. */
export const addedTokens = <M>(forms: readonly Form<M>[], selection: Selection<M>): number =>
  forms.reduce((sum, form) => sum + tokensOf(form, selection) - form.entry.tokens, 0);

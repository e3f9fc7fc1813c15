import type { Entry } from "./entry.ts";
import type { Source } from "./source.ts";

/** A call and the message with its result. */
export interface Match<M> {
  readonly id: string;
  readonly caller: Entry<M>;
  readonly answerer: Entry<M>;
}

/** What is kept of a message, and the results that were taken out of it. */
export interface Form<M> {
  readonly entry: Entry<M>;
  readonly message: M;
  readonly openResultIds: readonly string[];
}

/**
 * What is kept of messages that belong together when only `matches` stand, newest first. A call without its result and
 * a result without its call are taken out, and what is then blank or only reasoning goes too. A message that would have
 * to be split and whose shape cannot do it goes whole.
 */
export function formsOf<M>(
  members: readonly Entry<M>[],
  matches: readonly Match<M>[],
  { shape, pins }: Source<M>,
): Form<M>[] {
  let standing = matches;
  const formOf = (entry: Entry<M>): Form<M> | undefined => {
    const openCallIds = minus(
      entry.callIds,
      standing.filter(({ caller }) => caller === entry),
    );
    const openResultIds = minus(
      entry.openResultIds,
      standing.filter(({ answerer }) => answerer === entry),
    );
    let message: M | undefined = pins.get(entry.index) ?? entry.message;
    if (openCallIds.length > 0) message = shape.withoutToolCalls?.(message, openCallIds);
    if (message !== undefined && openResultIds.length > 0) message = shape.withoutToolResults?.(message, openResultIds);
    if (message === undefined || shape.isDiscarded?.(message)) return undefined;
    const pairs = shape.toolCallIds(message).length + shape.toolResultIds(message).length;
    const isSilent = pairs === 0 && (entry.role === "tool" || shape.isEmpty?.(message));
    return isSilent ? undefined : { entry, message, openResultIds };
  };

  standing = standing.filter(({ answerer }) => formOf(answerer));
  for (const member of members) {
    const form = formOf(member);
    const callIds = form ? shape.toolCallIds(form.message) : [];
    standing = standing.filter(({ caller, id }) => caller !== member || callIds.includes(id));
  }
  const forms: Form<M>[] = [];
  for (const entry of new Set([...members, ...standing.map(({ answerer }) => answerer)])) {
    let form = formOf(entry);
    // Reasoning that is a message of its own stays with what it led to.
    const isReasoning = entry.reason === "empty" && shape.withoutReasoning?.(entry.message) === undefined;
    if (isReasoning && forms.length > 0 && shape.joinsNext) form = { entry, message: entry.message, openResultIds: [] };
    if (form) forms.push(form);
  }
  return forms;
}

function minus<M>(ids: readonly string[], matches: readonly Match<M>[]): string[] {
  const left = [...ids];
  for (const { id } of matches) {
    const at = left.indexOf(id);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

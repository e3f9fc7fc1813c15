import type { Entry } from "./entry.ts";
import type { MessageShape } from "./message-shape.ts";

/** What is kept of a message. */
export interface Form<M> {
  readonly entry: Entry<M>;
  readonly message: M;
}

/**
 * What is kept of messages that belong together, members first and newest first. Open calls and open results are taken
 * out, and what is then blank or only reasoning goes too. A message whose shape cannot take them out goes whole.
 */
export function formsOf<M>(unit: Iterable<Entry<M>>, shape: MessageShape<M>): Form<M>[] {
  const forms: Form<M>[] = [];
  for (const entry of unit) {
    let message = remainder(entry, shape);
    // Reasoning that is a message of its own stays with what it led to.
    if (message === undefined && forms.length > 0 && isReasoning(entry, shape)) message = entry.message;
    if (message !== undefined) forms.push({ entry, message });
  }
  return forms;
}

/** What is left of the message without its open calls and results; the same object for the same ones. */
export function remainder<M>(entry: Entry<M>, shape: MessageShape<M>): M | undefined {
  const { openCallIds, openResultIds, remainders } = entry;
  const key = JSON.stringify([openCallIds, openResultIds]);
  if (remainders.has(key)) return remainders.get(key);

  let message: M | undefined = entry.isDiscarded ? undefined : entry.message;
  if (message !== undefined && openCallIds.length > 0) message = shape.withoutToolCalls?.(message, openCallIds);
  if (message !== undefined && openResultIds.length > 0) message = shape.withoutToolResults?.(message, openResultIds);
  if (message !== undefined && shape.toolCallIds(message).length + shape.toolResultIds(message).length === 0) {
    if (entry.role === "tool" || shape.isEmpty?.(message)) message = undefined;
  }
  remainders.set(key, message);
  return message;
}

function isReasoning<M>(
  { message, isDiscarded, openCallIds, openResultIds }: Entry<M>,
  shape: MessageShape<M>,
): boolean {
  if (isDiscarded || openCallIds.length + openResultIds.length > 0) return false;
  return shape.joinsNext?.(message) === true && shape.isEmpty?.(message) === true;
}

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
    // Reasoning that is a message of its own stays with what it led to.
    const isReasoning = entry.reason === "empty" && shape.withoutReasoning?.(entry.message) === undefined;
    const staysWithNewer = forms.length > 0 && isReasoning && shape.joinsNext;
    const message = staysWithNewer ? entry.message : remainder(entry, shape);
    if (message !== undefined) forms.push({ entry, message });
  }
  return forms;
}

/** What is left of the message without its open calls and results. */
export function remainder<M>(entry: Entry<M>, shape: MessageShape<M>): M | undefined {
  const { openCallIds, openResultIds } = entry;
  let message: M | undefined = entry.isDiscarded ? undefined : entry.message;
  if (message !== undefined && openCallIds.length > 0) message = shape.withoutToolCalls?.(message, openCallIds);
  if (message !== undefined && openResultIds.length > 0) message = shape.withoutToolResults?.(message, openResultIds);
  if (message === undefined || shape.toolCallIds(message).length + shape.toolResultIds(message).length > 0)
    return message;
  return entry.role === "tool" || shape.isEmpty?.(message) ? undefined : message;
}

import type { Message } from "@holdfast/message-schema";

/**
 * The list with every tool result directly behind the message that called, results of one message in the order they
 * arrived: strict providers refuse anything in between. A result answers the nearest earlier unanswered call with its
 * id. The same array when nothing stands in between.
 */
export function resultsBehindCalls(messages: readonly Message[]): readonly Message[] {
  const callers = new Map<string, number[]>();
  const results = new Map<number, Message[]>();
  let newestCaller: number | undefined;
  let isInOrder = true;
  for (const [index, message] of messages.entries()) {
    if (message.role === "toolResult") {
      const caller = callers.get(message.toolCallId)?.pop();
      if (caller === undefined) continue;
      isInOrder &&= caller === newestCaller;
      const known = results.get(caller);
      if (known === undefined) results.set(caller, [message]);
      else known.push(message);
      continue;
    }
    newestCaller = index;
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type !== "toolCall") continue;
      const known = callers.get(part.id);
      if (known === undefined) callers.set(part.id, [index]);
      else known.push(index);
    }
  }
  if (isInOrder) return messages;
  const placed = new Set([...results.values()].flat());
  return messages.flatMap((message, index) => (placed.has(message) ? [] : [message, ...(results.get(index) ?? [])]));
}

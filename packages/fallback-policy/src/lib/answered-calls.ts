import type { Message, ToolCallPart, ToolResultMessage } from "@holdfast/message-schema";

export interface AnsweredCall {
  readonly call: ToolCallPart;
  readonly result: ToolResultMessage;
}

/**
 * The calls of a list together with their results, in the order of the results. A result answers the nearest earlier
 * unanswered call with its id, and of equal ids in one message the first: ids may be used again in a later turn.
 */
export function answeredCalls(messages: readonly Message[]): AnsweredCall[] {
  const open = new Map<string, ToolCallPart[]>();
  const answered: AnsweredCall[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      const calls = message.content.filter((part) => part.type === "toolCall");
      // Each list is a stack: the newest message on top and, inside it, the first call.
      for (const call of calls.toReversed()) {
        const stack = open.get(call.id);
        if (stack === undefined) open.set(call.id, [call]);
        else stack.push(call);
      }
    } else if (message.role === "toolResult") {
      const call = open.get(message.toolCallId)?.pop();
      if (call !== undefined) answered.push({ call, result: message });
    }
  }
  return answered;
}

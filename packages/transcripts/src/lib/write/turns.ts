import type {
  AssistantContentPart,
  AssistantMessage,
  Message,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "@holdfast/message-schema";

/** What a provider takes as a unit: an assistant message comes with the results of all its calls. */
export type Turn =
  | { readonly kind: "system"; readonly message: SystemMessage }
  | { readonly kind: "user"; readonly message: UserMessage }
  | {
      readonly kind: "assistant";
      readonly message: AssistantMessage;
      /** Without the calls that have no result. */
      readonly content: readonly AssistantContentPart[];
      /** In the order of the calls. */
      readonly results: readonly ToolResultMessage[];
    };

/**
 * The messages a provider accepts, results directly behind their calls. Left out: assistant messages that ended in
 * `error`, were `aborted` or are `deferred`, and their results; results without a call; calls without a result. A result
 * answers the nearest earlier open call with its id; two equal ids in one message pair in order.
 */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const resultOfCall = pairCalls(messages);
  return messages.flatMap((message, index): Turn[] => {
    switch (message.role) {
      case "system":
        return [{ kind: "system", message }];
      case "user":
        return [{ kind: "user", message }];
      case "assistant":
        return isDiscarded(message) ? [] : [exchange(message, resultOfCall.get(index) ?? new Map())];
      case "toolResult":
        return [];
      default:
        return message satisfies never;
    }
  });
}

type ResultsByPart = ReadonlyMap<number, ToolResultMessage>;

function exchange(message: AssistantMessage, resultOfPart: ResultsByPart): Turn {
  const content = message.content.filter((part, index) => part.type !== "toolCall" || resultOfPart.has(index));
  const results = message.content.flatMap((_, index) => resultOfPart.get(index) ?? []);
  return { kind: "assistant", message, content, results };
}

/** For each assistant message, by index, the results of its call parts, by index. */
function pairCalls(messages: readonly Message[]): ReadonlyMap<number, ResultsByPart> {
  const open = new Map<string, { readonly message: number; readonly part: number }[]>();
  const paired = new Map<number, Map<number, ToolResultMessage>>();
  messages.forEach((message, index) => {
    if (message.role === "assistant") {
      // Backwards, so that of equal ids in one message the first is answered first.
      for (const [part, call] of [...message.content.entries()].reverse()) {
        if (call.type !== "toolCall") continue;
        const waiting = open.get(call.id);
        if (waiting) waiting.push({ message: index, part });
        else open.set(call.id, [{ message: index, part }]);
      }
    }
    if (message.role === "toolResult") {
      const call = open.get(message.toolCallId)?.pop();
      if (!call) return;
      const results = paired.get(call.message) ?? new Map<number, ToolResultMessage>();
      paired.set(call.message, results.set(call.part, message));
    }
  });
  return paired;
}

function isDiscarded({ stopReason }: AssistantMessage): boolean {
  return stopReason === "error" || stopReason === "aborted" || stopReason === "deferred";
}

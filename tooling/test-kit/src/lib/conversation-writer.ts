import { fillerText } from "./filler-text.ts";
import type { GeneratedMessage } from "./generated-message.ts";

export interface ConversationWriter {
  readonly messages: readonly GeneratedMessage[];
  /** A request of the user. */
  ask(text: string): void;
  /** A closing answer of about so many tokens. */
  answer(tokens: number): void;
  /** One assistant message with a call per number, and the results: about so many tokens each. */
  exchange(resultTokens: readonly number[]): void;
}

/** Writes a sound conversation message by message, with ids from the position and text from `fillerText`. */
export function createConversationWriter(): ConversationWriter {
  const messages: GeneratedMessage[] = [];
  const nextId = () => `m${messages.length}`;
  return {
    messages,
    ask(text) {
      messages.push({ id: nextId(), role: "user", content: text });
    },
    answer(tokens) {
      const content = [{ type: "text" as const, text: fillerText(tokens, messages.length) }];
      messages.push({ id: nextId(), role: "assistant", content, stopReason: "stop" });
    },
    exchange(resultTokens) {
      const position = messages.length;
      const calls = resultTokens.map((_, index) => ({ type: "toolCall" as const, ...makeCall(position, index) }));
      const remark = { type: "text" as const, text: fillerText(25, position) };
      messages.push({ id: nextId(), role: "assistant", content: [remark, ...calls], stopReason: "toolUse" });
      for (const [index, { id: toolCallId, name: toolName }] of calls.entries()) {
        const content = [{ type: "text" as const, text: fillerText(resultTokens[index] ?? 0, position + index) }];
        messages.push({ id: nextId(), role: "toolResult", toolCallId, toolName, content, isError: false });
      }
    },
  };
}

function makeCall(position: number, index: number): { id: string; name: string; arguments: Record<string, unknown> } {
  const id = `call_${position}_${index}`;
  return index % 3 === 2
    ? { id, name: "bash", arguments: { command: `npm test -- ${position}` } }
    : { id, name: "read", arguments: { path: `src/part-${(position + index) % 40}.ts` } };
}

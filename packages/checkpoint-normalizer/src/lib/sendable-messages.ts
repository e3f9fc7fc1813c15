import type { Message } from "@holdfast/message-schema";
import { repairPairing } from "./normalize-checkpoint.ts";
import { resultsBehindCalls } from "./results-behind-calls.ts";

/** Stands in a tool result that says nothing: it cannot be left out, and providers refuse blank text. */
export const BLANK_RESULT_TEXT = "(no output)";

/**
 * What a strict provider accepts of a list: no discarded message, no result without its call, no call without its
 * result, no blank text, every result directly behind its call. A message that needs no change is the same object.
 */
export function sendableMessages(messages: readonly Message[]): readonly Message[] {
  return resultsBehindCalls(repairPairing(messages.map(withoutBlankText)));
}

function withoutBlankText(message: Message): Message {
  if (typeof message.content === "string") return message;
  switch (message.role) {
    case "assistant": {
      const content = message.content.filter(saysSomething);
      return content.length === message.content.length ? message : { ...message, content };
    }
    case "toolResult": {
      const content = message.content.filter(saysSomething);
      if (content.length === 0) return { ...message, content: [{ type: "text", text: BLANK_RESULT_TEXT }] };
      return content.length === message.content.length ? message : { ...message, content };
    }
    case "user":
    case "system": {
      const content = message.content.filter(saysSomething);
      return content.length === message.content.length ? message : { ...message, content };
    }
    default:
      return message satisfies never;
  }
}

function saysSomething(part: { readonly type: string; readonly text?: unknown }): boolean {
  return part.type !== "text" || (typeof part.text === "string" && part.text.trim() !== "");
}

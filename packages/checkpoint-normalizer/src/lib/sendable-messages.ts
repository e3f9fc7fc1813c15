import type { AssistantContentPart, ImagePart, Message } from "@holdfast/message-schema";
import { repairPairing } from "./normalize-checkpoint.ts";
import { resultsBehindCalls } from "./results-behind-calls.ts";

/** Stands in a tool result that says nothing: it cannot be left out, and providers refuse blank text. */
export const BLANK_RESULT_TEXT = "(no output)";

/**
 * What a strict provider accepts of a list: no discarded message, no result without its call, no call without its
 * result, no blank text, every result directly behind its call. A message that needs no change is the same object.
 */
export function sendableMessages(messages: readonly Message[]): readonly Message[] {
  return resultsBehindCalls(repairPairing(messages.map(withSendableParts)));
}

function withSendableParts(message: Message): Message {
  if (typeof message.content === "string") return message;
  switch (message.role) {
    case "assistant": {
      const content = message.content.filter(isSendable);
      return content.length === message.content.length ? message : { ...message, content };
    }
    case "toolResult": {
      const content = message.content.filter(isSendable);
      if (content.length === 0) return { ...message, content: [{ type: "text", text: BLANK_RESULT_TEXT }] };
      return content.length === message.content.length ? message : { ...message, content };
    }
    case "user":
    case "system": {
      const content = message.content.filter(isSendable);
      return content.length === message.content.length ? message : { ...message, content };
    }
    default:
      return message satisfies never;
  }
}

/** What a transcript may hold and no provider takes: blank text, a picture without data, a call without a name or id. */
function isSendable(part: AssistantContentPart | ImagePart): boolean {
  switch (part.type) {
    case "text":
      return part.text.trim() !== "";
    case "image":
      return part.data !== "" && part.mimeType !== "";
    case "toolCall":
      return part.id !== "" && part.name !== "";
    case "thinking":
    case "opaque":
      return true;
    default:
      return part satisfies never;
  }
}

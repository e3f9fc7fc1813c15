import { type AssistantContentPart, type ImagePart, type Message, shape } from "@holdfast/message-schema";
import { repairPairing } from "./normalize-checkpoint.ts";
import { resultsBehindCalls } from "./results-behind-calls.ts";

/**
 * What a strict provider accepts of a list: no discarded message, no result without its call, no call without its
 * result, no blank text, every result directly behind its call. A message that needs no change is the same object.
 */
export function sendableMessages(messages: readonly Message[]): readonly Message[] {
  // The repair leaves out blank parts too, but not those of system messages at the head: they lie outside any window.
  const speaking = messages
    .map((message) => shape.withoutBlankText(withoutHollowParts(message)))
    .filter((message) => !shape.isEmpty(message));
  return resultsBehindCalls(repairPairing(speaking));
}

function withoutHollowParts(message: Message): Message {
  if (typeof message.content === "string" || !message.content.some(isHollow)) return message;
  switch (message.role) {
    case "assistant":
      return { ...message, content: message.content.filter((part) => !isHollow(part)) };
    case "toolResult":
      return { ...message, content: message.content.filter((part) => !isHollow(part)) };
    case "user":
    case "system":
      return { ...message, content: message.content.filter((part) => !isHollow(part)) };
    default:
      return message satisfies never;
  }
}

/** What a transcript may hold and no provider takes: empty reasoning, a picture without data, a call without id or name. */
function isHollow(part: AssistantContentPart | ImagePart): boolean {
  if (part.type === "thinking") return part.thinking.trim() === "" && part.signature === undefined;
  if (part.type === "image") return part.data === "" || part.mimeType === "";
  return part.type === "toolCall" && (part.id === "" || part.name === "");
}

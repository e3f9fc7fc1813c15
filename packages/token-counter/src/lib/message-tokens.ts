import type { Message } from "@holdfast/message-schema";

/** What a message takes besides its parts: its role and the marks around it. */
export const MESSAGE_TOKENS = 4;
/** What each part takes besides its text: the marks that divide it from its neighbours. */
export const PART_TOKENS = 2;
/** What a tool call takes besides name and arguments, and a tool result besides name and content: ids and marks. */
export const TOOL_TOKENS = 8;
/** What a picture takes, whatever its size: the most the large providers charge for one at ordinary resolution. */
export const IMAGE_TOKENS = 1600;

type Part = Exclude<Message["content"], string>[number];

/** The size of a message in a request: the overheads above, and the text that a provider renders from it. */
export function messageTokens(message: Message, countText: (text: string) => number): number {
  let tokens = MESSAGE_TOKENS;
  if (message.role === "toolResult") tokens += TOOL_TOKENS + countText(message.toolName);
  if (typeof message.content === "string") return tokens + countText(message.content);
  for (const part of message.content) tokens += PART_TOKENS + partTokens(part, countText);
  return tokens;
}

function partTokens(part: Part, countText: (text: string) => number): number {
  switch (part.type) {
    case "text":
      return countText(part.text);
    case "thinking":
      return countText(part.thinking);
    case "image":
      return IMAGE_TOKENS;
    case "toolCall":
      return TOOL_TOKENS + countText(part.name) + countText(JSON.stringify(part.arguments));
    case "opaque":
      return countText(JSON.stringify(part.value) ?? "");
    default:
      return part satisfies never;
  }
}

import type { Message } from "@holdfast/message-schema";
import { jsonText } from "./json-text.ts";
import { IMAGE_TOKENS, opaqueTokens } from "./opaque-tokens.ts";
import { sealedReasoningTokens } from "./sealed-reasoning.ts";

/** What a message takes besides its parts: its role and the marks around it. */
const MESSAGE_TOKENS = 4;
/** What each part takes besides its text: the marks that divide it from its neighbours. */
const PART_TOKENS = 2;
/** What a tool call takes besides name and arguments, and a tool result besides name and content: ids and marks. */
const TOOL_TOKENS = 8;

type Part = Exclude<Message["content"], string>[number];

/**
 * The size of a message in a request: its text, tool names, arguments as JSON, results, reasoning, pictures at a fixed
 * cost, unknown parts (`opaqueTokens`), and the overheads above. Arguments and unknown parts may be nested to any depth,
 * and may hold what JSON has no text for (`jsonText` says what is counted then). The overheads follow what providers
 * reported for recorded sessions; a provider with another vocabulary is a matter for a calibration.
 */
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
      return Math.max(countText(part.thinking), sealedReasoningTokens(part.signature ?? ""));
    case "image":
      return IMAGE_TOKENS;
    case "toolCall":
      return TOOL_TOKENS + countText(part.name) + countText(jsonText(part.arguments));
    case "opaque":
      return opaqueTokens(part.value, countText);
    default:
      // A list that no schema has seen may hold anything.
      part satisfies never;
      return opaqueTokens(part, countText);
  }
}

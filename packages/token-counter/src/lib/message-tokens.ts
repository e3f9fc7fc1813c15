import type { Message } from "@holdfast/message-schema";

/** What a message takes besides its parts: its role and the marks around it. */
const MESSAGE_TOKENS = 4;
/** What each part takes besides its text: the marks that divide it from its neighbours. */
const PART_TOKENS = 2;
/** What a tool call takes besides name and arguments, and a tool result besides name and content: ids and marks. */
const TOOL_TOKENS = 8;
/**
 * What a picture takes, whatever its size and however long its encoding: the most that the large providers charge for
 * one at their ordinary resolution.
 */
const IMAGE_TOKENS = 1600;

/** Sealed reasoning: a wrapping of about 200 bytes, then a token for about 5 bytes. Measured on signed reasoning. */
const SEAL_BYTES = 200;
const SEALED_BYTES_PER_TOKEN = 5;

type Part = Exclude<Message["content"], string>[number];

/**
 * The size of a message in a request: its text, tool names, arguments as JSON, results, reasoning, and the overheads
 * above. The overheads follow what providers reported for recorded sessions; a provider with another vocabulary is a
 * matter for a calibration.
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
      return Math.max(countText(part.thinking), sealedReasoningTokens(part.signature));
    case "image":
      return IMAGE_TOKENS;
    case "toolCall":
      return TOOL_TOKENS + countText(part.name) + countText(JSON.stringify(part.arguments));
    case "opaque":
      return countText(JSON.stringify(part.value) ?? "");
    default:
      // A list that no schema has seen may hold anything.
      part satisfies never;
      return countText(JSON.stringify(part));
  }
}

/**
 * A signature is not text to the model, but it holds the reasoning: where the text beside it is blank or a summary, the
 * provider still charges for what is sealed in it.
 */
function sealedReasoningTokens(signature: string | undefined): number {
  const bytes = ((signature?.length ?? 0) * 3) / 4 - SEAL_BYTES;
  return Math.max(0, Math.ceil(bytes / SEALED_BYTES_PER_TOKEN));
}

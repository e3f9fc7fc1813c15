import type {
  AssistantContentPart,
  AssistantMessage,
  Message,
  ToolResultMessage,
  UserContentPart,
} from "@holdfast/message-schema";
import { property, text } from "../json-value.ts";
import { type Turn, turnsOf } from "./turns.ts";
import { createWireIds, wireName } from "./wire-ids.ts";
import { isBlank, isWellFormed, wellFormed, wellFormedJson } from "./wire-text.ts";

export interface AnthropicText {
  type: "text";
  text: string;
}

export interface AnthropicImage {
  type: "image";
  source: { type: "base64"; media_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp"; data: string };
}

export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content?: (AnthropicText | AnthropicImage)[];
  is_error?: boolean;
}

export type AnthropicUserBlock = AnthropicText | AnthropicImage | AnthropicToolResult;

export type AnthropicAssistantBlock =
  | AnthropicText
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

export type AnthropicMessage =
  | { role: "user"; content: AnthropicUserBlock[] }
  | { role: "assistant"; content: AnthropicAssistantBlock[] };

/** What of an Anthropic request the messages make. */
export interface AnthropicRequest {
  system?: AnthropicText[];
  messages: AnthropicMessage[];
}

const maxNameLength = 128;

/** Opens a request whose first message would be the assistant's. */
const opening = "(the conversation so far is not shown)";

/**
 * The messages in the form of an Anthropic request: leading system messages apart, later ones in the user's role;
 * roles alternating, from the user on; results first in the user message behind their calls. Reasoning without a
 * signature, or with that of another maker's model, goes, since it would be refused.
 */
export function toAnthropic(messages: readonly Message[]): AnthropicRequest {
  const wireIds = createWireIds({ maxLength: 64, mayRepeat: false });
  const system: AnthropicText[] = [];
  const written: AnthropicMessage[] = [];
  for (const turn of turnsOf(messages)) {
    if (turn.kind === "system" && written.length === 0) {
      for (const block of textBlocks(turn.message.content)) system.push(block);
    } else for (const message of writeTurn(turn, wireIds)) written.push(message);
  }
  const alternating = mergeNeighbours(written);
  const opened: AnthropicMessage[] =
    alternating[0]?.role === "assistant"
      ? [{ role: "user", content: [{ type: "text", text: opening }] }, ...alternating]
      : alternating;
  return { ...(system.length > 0 ? { system } : {}), messages: opened };
}

function writeTurn(turn: Turn, wireIds: ReturnType<typeof createWireIds>): AnthropicMessage[] {
  if (turn.kind !== "assistant") {
    const content = userBlocks(turn.message.content);
    return content.length === 0 ? [] : [{ role: "user", content }];
  }
  const calls = turn.content.filter((part) => part.type === "toolCall");
  const ids = [...wireIds(calls.map((call) => call.id))];
  const results = turn.results.map((result, index) => toolResult(result, ids[index] ?? result.toolCallId));
  const isOwn = !isSignedElsewhere(turn.message);
  const blocks = turn.content.flatMap((part) => (part.type === "thinking" && !isOwn ? [] : assistantBlock(part, ids)));
  // Reasoning has to lead to something: Anthropic refuses a message that ends in it.
  const content = blocks.slice(0, blocks.findLastIndex((block) => !isReasoning(block)) + 1);
  if (content.length === 0) return [];
  const assistant: AnthropicMessage = { role: "assistant", content };
  return results.length === 0 ? [assistant] : [assistant, { role: "user", content: results }];
}

/** Models of OpenAI and Google sign reasoning in a way of their own. The model decides: one provider may host several. */
function isSignedElsewhere({ model, provider }: AssistantMessage): boolean {
  return model === undefined
    ? /^(?:openai|azure|google)/i.test(provider ?? "")
    : /(?:^|\/)(?:gpt|codex|gemini|o\d)/i.test(model);
}

function isReasoning({ type }: AnthropicAssistantBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Takes the next of `ids` for a call. */
function assistantBlock(part: AssistantContentPart, ids: string[]): AnthropicAssistantBlock[] {
  switch (part.type) {
    case "text":
      return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
    case "thinking":
      return part.signature && isWellFormed(part.thinking)
        ? [{ type: "thinking", thinking: part.thinking, signature: part.signature }]
        : [];
    case "toolCall": {
      const name = wireName(part.name, maxNameLength);
      return [{ type: "tool_use", id: ids.shift() ?? part.id, name, input: wellFormedJson(part.arguments) }];
    }
    case "opaque": {
      const data = text(property(part.value, "data"));
      const isRedacted = property(part.value, "type") === "redacted_thinking" && data !== undefined;
      return isRedacted ? [{ type: "redacted_thinking", data }] : [];
    }
    default:
      return part satisfies never;
  }
}

/** A blank result has no content: Anthropic takes that, and no blank text. */
function toolResult(result: ToolResultMessage, id: string): AnthropicToolResult {
  const content = userBlocks(result.content);
  return {
    type: "tool_result",
    tool_use_id: id,
    ...(content.length > 0 ? { content } : {}),
    ...(result.isError ? { is_error: true } : {}),
  };
}

function textBlocks(content: string | readonly UserContentPart[]): AnthropicText[] {
  return userBlocks(content).filter((block) => block.type === "text");
}

function userBlocks(content: string | readonly UserContentPart[]): (AnthropicText | AnthropicImage)[] {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return parts.flatMap((part): (AnthropicText | AnthropicImage)[] => {
    if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
    if (part.type !== "image" || !isKnownImage(part.mimeType)) return [];
    return [{ type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } }];
  });
}

function isKnownImage(mimeType: string): mimeType is AnthropicImage["source"]["media_type"] {
  return ["image/jpeg", "image/png", "image/gif", "image/webp"].includes(mimeType);
}

function mergeNeighbours(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
  const merged: AnthropicMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === "user" && message.role === "user") {
      for (const block of message.content) last.content.push(block);
    } else if (last?.role === "assistant" && message.role === "assistant") {
      for (const block of message.content) last.content.push(block);
    } else {
      merged.push(message);
    }
  }
  return merged;
}

import type {
  AssistantContentPart,
  ImagePart,
  Message,
  ToolCallPart,
  ToolResultMessage,
  UserContentPart,
} from "@holdfast/message-schema";
import { dataUrl } from "../data-url.ts";
import { property, text } from "../json-value.ts";
import { type Turn, turnsOf } from "./turns.ts";
import { createWireIds, wireName } from "./wire-ids.ts";
import { isBlank, noOutput, wellFormed, wellFormedJson } from "./wire-text.ts";

export interface OpenAiChatText {
  type: "text";
  text: string;
}

export interface OpenAiChatImage {
  type: "image_url";
  image_url: { url: string };
}

export interface OpenAiChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** A message of a Chat Completions request. */
export type OpenAiChatMessage =
  | { role: "system"; content: string | OpenAiChatText[] }
  | { role: "user"; content: string | (OpenAiChatText | OpenAiChatImage)[] }
  | {
      role: "assistant";
      content: string | OpenAiChatText[] | null;
      tool_calls?: OpenAiChatToolCall[];
      reasoning_content?: string;
    }
  | { role: "tool"; tool_call_id: string; content: string | OpenAiChatText[] };

export interface ToOpenAiChatOptions {
  /**
   * Sends reasoning in `reasoning_content`, as DeepSeek and servers like it take it. Default: false, since OpenAI's own
   * interface has no place for it.
   */
  readonly withReasoning?: boolean | undefined;
}

const maxIdLength = 40;
const maxNameLength = 64;

/**
 * The messages in the form of a Chat Completions request. Pictures in results follow their exchange as a user message:
 * a tool message holds text alone. Blank messages go; a blank result says that there was no output.
 */
export function toOpenAiChat(messages: readonly Message[], options: ToOpenAiChatOptions = {}): OpenAiChatMessage[] {
  const wireIds = createWireIds({ maxLength: maxIdLength, mayRepeat: true });
  return turnsOf(messages).flatMap((turn): OpenAiChatMessage[] => {
    switch (turn.kind) {
      case "system": {
        const content = textContent(turn.message.content);
        return content === undefined ? [] : [{ role: "system", content }];
      }
      case "user": {
        const content = userContent(turn.message.content);
        return content === undefined ? [] : [{ role: "user", content }];
      }
      case "assistant":
        return exchange(turn, wireIds, options);
      default:
        return turn satisfies never;
    }
  });
}

function exchange(
  { content, results }: Turn & { kind: "assistant" },
  wireIds: ReturnType<typeof createWireIds>,
  { withReasoning = false }: ToOpenAiChatOptions,
): OpenAiChatMessage[] {
  const calls = content.filter((part) => part.type === "toolCall");
  const ids = wireIds(calls.map((call) => call.id));
  const said = textContent(content.filter((part) => part.type === "text")) ?? null;
  if (said === null && calls.length === 0) return [];
  const toolCalls = calls.map((call, index) => toolCall(call, ids[index] ?? call.id));
  const reasoning = withReasoning ? reasoningOf(content) : "";
  return [
    {
      role: "assistant",
      content: said,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    },
    ...results.map((result, index): OpenAiChatMessage => {
      return { role: "tool", tool_call_id: ids[index] ?? result.toolCallId, content: resultContent(result) };
    }),
    ...picturesOf(results),
  ];
}

function toolCall(call: ToolCallPart, id: string): OpenAiChatToolCall {
  const raw = text(property(call, "rawArguments"));
  const written = raw === undefined ? JSON.stringify(wellFormedJson(call.arguments)) : wellFormed(raw);
  return { id, type: "function", function: { name: wireName(call.name, maxNameLength), arguments: written } };
}

function reasoningOf(content: readonly AssistantContentPart[]): string {
  const lines = content.flatMap((part) => (part.type === "thinking" && !isBlank(part.thinking) ? [part.thinking] : []));
  return wellFormed(lines.join("\n\n"));
}

/** One text alone as a string; `undefined` when nothing is said. */
function textContent(content: string | readonly { type: string }[]): string | OpenAiChatText[] | undefined {
  const parts = userParts(content).filter((part) => part.type === "text");
  const [first] = parts;
  return parts.length > 1 ? parts : first?.text;
}

function userContent(content: string | readonly UserContentPart[]) {
  const parts = userParts(content);
  const [first] = parts;
  return parts.length === 1 && first?.type === "text" ? first.text : first && parts;
}

function userParts(content: string | readonly { type: string }[]): (OpenAiChatText | OpenAiChatImage)[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return (parts as readonly UserContentPart[]).flatMap((part): (OpenAiChatText | OpenAiChatImage)[] => {
    if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
    return part.type === "image" ? [{ type: "image_url", image_url: { url: dataUrl(part) } }] : [];
  });
}

function resultContent(result: ToolResultMessage): string | OpenAiChatText[] {
  const said = textContent(result.content);
  if (said !== undefined) return said;
  return picturesIn(result).length > 0 ? "(a picture, in the next user message)" : noOutput;
}

function picturesOf(results: readonly ToolResultMessage[]): OpenAiChatMessage[] {
  const pictures = results.flatMap(picturesIn);
  return pictures.length === 0 ? [] : [{ role: "user", content: userParts(pictures) }];
}

function picturesIn(result: ToolResultMessage): readonly ImagePart[] {
  return result.content.filter((part) => part.type === "image");
}

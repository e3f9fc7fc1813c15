import type {
  AssistantContentPart,
  AssistantMessage,
  Message,
  ThinkingPart,
  ToolResultMessage,
  UserContentPart,
} from "@holdfast/message-schema";
import { isObject, property } from "../json-value.ts";
import { type Turn, turnsOf } from "./turns.ts";
import { createWireIds } from "./wire-ids.ts";
import { isBlank, isWellFormed, noOutput, wellFormed, wellFormedJson } from "./wire-text.ts";

type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined };

export interface AiSdkText {
  type: "text";
  text: string;
}

export interface AiSdkImage {
  type: "image";
  image: string;
  mediaType: string;
}

export interface AiSdkReasoning {
  type: "reasoning";
  text: string;
  providerOptions?: { [provider: string]: { [option: string]: JsonValue | undefined } };
}

export interface AiSdkToolCall {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: unknown;
}

export type AiSdkResultPart = AiSdkText | { type: "image-data"; data: string; mediaType: string };

export interface AiSdkToolResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output:
    | { type: "text"; value: string }
    | { type: "error-text"; value: string }
    | { type: "content"; value: AiSdkResultPart[] };
}

/** A message of the AI SDK's `ModelMessage` form. */
export type AiSdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | (AiSdkText | AiSdkImage)[] }
  | { role: "assistant"; content: (AiSdkText | AiSdkReasoning | AiSdkToolCall)[] }
  | { role: "tool"; content: AiSdkToolResult[] };

/** What of a call of `generateText` or `streamText` the messages make. */
export interface AiSdkPrompt {
  system?: string;
  messages: AiSdkMessage[];
}

/**
 * The messages in the form the AI SDK takes: leading system messages apart, the results of an exchange in one tool
 * message. A signature of reasoning stands in the options of the provider that made it.
 */
export function toAiSdk(messages: readonly Message[]): AiSdkPrompt {
  const wireIds = createWireIds({ maxLength: 64, mayRepeat: false });
  const written = turnsOf(messages).flatMap((turn) => writeTurn(turn, wireIds));
  const start = written.findIndex((message) => message.role !== "system");
  const leading = start === -1 ? written : written.slice(0, start);
  const system = leading.map((message) => message.content).join("\n\n");
  return { ...(system === "" ? {} : { system }), messages: written.slice(leading.length) };
}

function writeTurn(turn: Turn, wireIds: ReturnType<typeof createWireIds>): AiSdkMessage[] {
  switch (turn.kind) {
    case "system": {
      const content = textOf(turn.message.content);
      return isBlank(content) ? [] : [{ role: "system", content }];
    }
    case "user": {
      if (typeof turn.message.content === "string") {
        const content = wellFormed(turn.message.content);
        return isBlank(content) ? [] : [{ role: "user", content }];
      }
      const content = userParts(turn.message.content);
      return content.length === 0 ? [] : [{ role: "user", content }];
    }
    case "assistant":
      return exchange(turn, wireIds);
    default:
      return turn satisfies never;
  }
}

function exchange(turn: Turn & { kind: "assistant" }, wireIds: ReturnType<typeof createWireIds>): AiSdkMessage[] {
  const calls = turn.content.filter((part) => part.type === "toolCall");
  const ids = [...wireIds(calls.map((call) => call.id))];
  const results = turn.results.map((result, index) => toolResult(result, ids[index] ?? result.toolCallId));
  const content = turn.content.flatMap((part) => assistantPart(part, turn.message, ids));
  if (content.every((part) => part.type === "reasoning")) return [];
  const assistant: AiSdkMessage = { role: "assistant", content };
  return results.length === 0 ? [assistant] : [assistant, { role: "tool", content: results }];
}

/** Takes the next of `ids` for a call. */
function assistantPart(
  part: AssistantContentPart,
  message: AssistantMessage,
  ids: string[],
): (AiSdkText | AiSdkReasoning | AiSdkToolCall)[] {
  switch (part.type) {
    case "text":
      return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
    case "thinking":
      return part.signature === undefined || isWellFormed(part.thinking) ? [reasoning(part, message)] : [];
    case "toolCall": {
      const toolCallId = ids.shift() ?? part.id;
      return [
        { type: "tool-call", toolCallId, toolName: wellFormed(part.name), input: wellFormedJson(part.arguments) },
      ];
    }
    case "opaque":
      return [];
    default:
      return part satisfies never;
  }
}

function reasoning(part: ThinkingPart, { provider = "anthropic" }: AssistantMessage): AiSdkReasoning {
  const found = property(part, "providerOptions");
  if (isObject(found)) {
    return {
      type: "reasoning",
      text: wellFormed(part.thinking),
      providerOptions: found as AiSdkReasoning["providerOptions"] & object,
    };
  }
  const { signature } = part;
  return {
    type: "reasoning",
    text: wellFormed(part.thinking),
    ...(signature === undefined ? {} : { providerOptions: { [provider]: { signature } } }),
  };
}

function toolResult(result: ToolResultMessage, toolCallId: string): AiSdkToolResult {
  const parts = result.content.flatMap((part): AiSdkResultPart[] => {
    if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
    return part.type === "image" ? [{ type: "image-data", data: part.data, mediaType: part.mimeType }] : [];
  });
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const isText = texts.length === parts.length && (texts.length < 2 || result.isError);
  const value = texts.length === 0 ? noOutput : texts.join("\n");
  const output = isText ? ({ type: result.isError ? "error-text" : "text", value } as const) : undefined;
  return {
    type: "tool-result",
    toolCallId,
    toolName: wellFormed(result.toolName),
    output: output ?? { type: "content", value: parts },
  };
}

function userParts(content: readonly UserContentPart[]): (AiSdkText | AiSdkImage)[] {
  return content.flatMap((part): (AiSdkText | AiSdkImage)[] => {
    if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
    return part.type === "image" ? [{ type: "image", image: part.data, mediaType: part.mimeType }] : [];
  });
}

function textOf(content: string | readonly UserContentPart[]): string {
  if (typeof content === "string") return wellFormed(content);
  return wellFormed(content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n"));
}

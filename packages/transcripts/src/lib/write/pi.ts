import type {
  AssistantContentPart,
  AssistantMessage,
  Message,
  ToolResultContentPart,
  Usage,
  UserContentPart,
} from "@holdfast/message-schema";
import { amount, property, text } from "../json-value.ts";
import { isWellFormed, wellFormed, wellFormedJson } from "./wire-text.ts";

export interface PiText {
  type: "text";
  text: string;
}

export interface PiImage {
  type: "image";
  data: string;
  mimeType: string;
}

export type PiAssistantPart =
  | PiText
  | { type: "thinking"; thinking: string; thinkingSignature?: string }
  | { type: "toolCall"; id: string; name: string; arguments: Record<string, unknown> };

export interface PiUsage extends Usage {
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

/** A message as pi keeps and sends it. */
export type PiMessage =
  | { role: "user"; content: string | (PiText | PiImage)[]; timestamp: number }
  | {
      role: "assistant";
      content: PiAssistantPart[];
      api: string;
      provider: string;
      model: string;
      usage: PiUsage;
      stopReason: "stop" | "toolUse" | "length" | "error" | "aborted";
      errorMessage?: string;
      timestamp: number;
    }
  | {
      role: "toolResult";
      toolCallId: string;
      toolName: string;
      content: (PiText | PiImage)[];
      isError: boolean;
      timestamp: number;
    };

/** What of pi's context the messages make. */
export interface PiContext {
  systemPrompt?: string;
  messages: PiMessage[];
}

/**
 * The messages as pi's own. Pi leaves out by itself what must not be sent (failed messages, open calls), so all are
 * kept; system messages make the system prompt. What pi requires and the schema does not know is `"unknown"` or 0.
 */
export function toPi(messages: readonly Message[]): PiContext {
  const prompts = messages.flatMap((message) => (message.role === "system" ? [systemText(message.content)] : []));
  const prompt = prompts.filter((line) => line !== "").join("\n\n");
  return {
    ...(prompt === "" ? {} : { systemPrompt: prompt }),
    messages: messages.flatMap((message) => (message.role === "system" ? [] : [piMessage(message)])),
  };
}

/** Where a session that is written starts. */
export interface PiSessionHeader {
  readonly id: string;
  readonly cwd: string;
  /** Milliseconds since 1970-01-01 UTC. Default: that of the first message, else 0. */
  readonly timestamp?: number | undefined;
}

/**
 * A pi session file (version 3) with the messages as one branch, their ids as entry ids. What was put into the user's
 * role is written as an extension's message, so that it is not taken for a request again. Pi has no system messages in
 * a session: they are left out.
 */
export function toPiSession(messages: readonly Message[], header: PiSessionHeader): string {
  const said = messages.filter((message) => message.role !== "system");
  const start = header.timestamp ?? said.find((message) => message.timestamp !== undefined)?.timestamp ?? 0;
  const lines: unknown[] = [
    { type: "session", version: 3, id: header.id, timestamp: isoDate(start), cwd: header.cwd },
    ...said.map((message, index) => {
      const place = {
        id: message.id,
        parentId: said[index - 1]?.id ?? null,
        timestamp: isoDate(message.timestamp ?? start),
      };
      if (message.role !== "user" || message.origin !== "injected") {
        return { type: "message", ...place, message: piMessage(message) };
      }
      return {
        type: "custom_message",
        ...place,
        customType: "injected",
        content: userContent(message.content),
        display: false,
      };
    }),
  ];
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** The last moment a date can hold. */
const maxTimestamp = 8.64e15;

function isoDate(timestamp: number): string {
  return new Date(Math.min(timestamp, maxTimestamp)).toISOString();
}

function piMessage(message: Exclude<Message, { role: "system" }>): PiMessage {
  const timestamp = message.timestamp ?? 0;
  switch (message.role) {
    case "user":
      return { role: "user", content: userContent(message.content), timestamp };
    case "assistant":
      return assistantMessage(message, timestamp);
    case "toolResult":
      return {
        role: "toolResult",
        toolCallId: wellFormed(message.toolCallId),
        toolName: wellFormed(message.toolName),
        content: mediaParts(message.content),
        isError: message.isError,
        timestamp,
      };
    default:
      return message satisfies never;
  }
}

function assistantMessage(
  message: AssistantMessage & { readonly api?: unknown; readonly errorMessage?: unknown },
  timestamp: number,
): PiMessage {
  const errorMessage = text(message.errorMessage);
  return {
    role: "assistant",
    content: message.content.flatMap(assistantPart),
    api: wellFormed(text(message.api) ?? "unknown"),
    provider: wellFormed(message.provider ?? "unknown"),
    model: wellFormed(message.model ?? "unknown"),
    usage: usageOf(message.usage),
    stopReason: stopReasonOf(message),
    ...(errorMessage === undefined ? {} : { errorMessage: wellFormed(errorMessage) }),
    timestamp,
  };
}

/** Pi has no word for a refusal, which ends a message, nor for a deferred one, which is not sent either. */
function stopReasonOf({ stopReason }: AssistantMessage) {
  if (stopReason === "refusal") return "stop";
  return stopReason === "deferred" ? "aborted" : stopReason;
}

function usageOf(usage: (Usage & { readonly cost?: unknown }) | undefined): PiUsage {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, totalTokens = 0 } = usage ?? {};
  const cost = (name: keyof PiUsage["cost"]) => amount(property(usage?.cost, name)) ?? 0;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens,
    cost: {
      input: cost("input"),
      output: cost("output"),
      cacheRead: cost("cacheRead"),
      cacheWrite: cost("cacheWrite"),
      total: cost("total"),
    },
  };
}

function assistantPart(part: AssistantContentPart): PiAssistantPart[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: wellFormed(part.text) }];
    case "thinking": {
      const { thinking, signature } = part;
      const isWhole = signature !== undefined && isWellFormed(thinking);
      const thinkingSignature = isWhole ? { thinkingSignature: signature } : {};
      return [{ type: "thinking", thinking: wellFormed(thinking), ...thinkingSignature }];
    }
    case "toolCall": {
      const args = wellFormedJson(part.arguments) as Record<string, unknown>;
      return [{ type: "toolCall", id: wellFormed(part.id), name: wellFormed(part.name), arguments: args }];
    }
    case "opaque":
      return [];
    default:
      return part satisfies never;
  }
}

function userContent(content: string | readonly UserContentPart[]): string | (PiText | PiImage)[] {
  return typeof content === "string" ? wellFormed(content) : mediaParts(content);
}

function mediaParts(content: readonly ToolResultContentPart[]): (PiText | PiImage)[] {
  return content.flatMap((part): (PiText | PiImage)[] => {
    if (part.type === "text") return [{ type: "text", text: wellFormed(part.text) }];
    return part.type === "image" ? [{ type: "image", data: part.data, mimeType: part.mimeType }] : [];
  });
}

function systemText(content: string | readonly UserContentPart[]): string {
  const lines =
    typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return wellFormed(lines.join("\n\n"));
}

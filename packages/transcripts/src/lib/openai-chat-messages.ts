import type {
  AssistantContentPart,
  StopReason,
  ToolResultContentPart,
  UserContentPart,
} from "@holdfast/message-schema";
import { callArguments } from "./call-arguments.ts";
import type { ConversationBuilder } from "./conversation-builder.ts";
import { dataUrlImage } from "./data-url.ts";
import { isObject, type JsonObject, list, nonEmpty, property, quote, text } from "./json-value.ts";
import { keptFields } from "./kept-fields.ts";
import { present } from "./optional-fields.ts";
import type { ReadReport } from "./transcript-reader.ts";

/** Adds a message of OpenAI's Chat Completions; unknown fields stay on it. */
export function addOpenAiChatMessage(
  builder: ConversationBuilder,
  message: unknown,
  ordinal: number,
  report: ReadReport,
): void {
  if (!isObject(message)) {
    report.note({ problem: `message ${ordinal} is not an object`, action: "set aside" });
    return;
  }
  const { role, content, tool_calls: calls, tool_call_id: callId, function_call: functionCall, ...rest } = message;
  const common = keptFields(rest);
  switch (role) {
    case "system":
    case "developer":
      builder.add({ ...common, role: "system", content: userContent(content) }, ordinal);
      return;
    case "user":
      builder.add({ ...common, role: "user", content: userContent(content) }, ordinal);
      return;
    case "assistant": {
      const parts = [...saidParts(message), ...callParts(builder, calls, functionCall)];
      builder.add({ ...common, role: "assistant", content: parts, stopReason: stopReasonOf(message, parts) }, ordinal);
      return;
    }
    case "tool":
    case "function": {
      const claim = { id: nonEmpty(callId), name: nonEmpty(message.name) };
      const answered = builder.calls.answer(claim);
      builder.add(
        { ...common, role: "toolResult", ...answered, content: partList(content), isError: message.is_error === true },
        ordinal,
      );
      return;
    }
    default:
      report.note({ problem: `message ${ordinal} has the unknown role ${quote(role)}`, action: "set aside" });
  }
}

function userContent(content: unknown): string | UserContentPart[] {
  return typeof content === "string" ? content : list(content).map(userPart);
}

function partList(content: unknown): readonly ToolResultContentPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : list(content).map(userPart);
}

function userPart(part: unknown): UserContentPart {
  if (isObject(part)) {
    if (part.type === "text" && typeof part.text === "string") return part as unknown as UserContentPart;
    if (part.type === "image_url") {
      const url = isObject(part.image_url) ? part.image_url.url : part.image_url;
      const image = dataUrlImage(url);
      if (image) return { ...present({ detail: property(part.image_url, "detail") }), ...image };
    }
  }
  return { type: "opaque", value: part };
}

function saidParts(message: JsonObject): readonly AssistantContentPart[] {
  const thinking = nonEmpty(message.reasoning_content) ?? nonEmpty(message.reasoning);
  const parts = partList(message.content).filter((part) => part.type !== "text" || part.text !== "");
  const said = parts.map((part): AssistantContentPart => {
    return part.type === "image" ? { type: "opaque", value: part } : part;
  });
  return thinking === undefined ? said : [{ type: "thinking", thinking }, ...said];
}

function callParts(builder: ConversationBuilder, calls: unknown, legacy: unknown): readonly AssistantContentPart[] {
  const all = isObject(legacy) ? [...list(calls), { function: legacy }] : list(calls);
  return all.map((call): AssistantContentPart => {
    const asked = property(call, "function") ?? property(call, "custom");
    const name = nonEmpty(property(asked, "name"));
    if (name === undefined) return { type: "opaque", value: call };
    const id = builder.calls.ask({ name, id: nonEmpty(property(call, "id")) });
    const isCustom = property(call, "custom") !== undefined;
    const args = isCustom ? { input: property(asked, "input") } : property(asked, "arguments");
    return { type: "toolCall", id, name, ...(isCustom ? { custom: true } : {}), ...callArguments(args) };
  });
}

function stopReasonOf(message: JsonObject, parts: readonly AssistantContentPart[]): StopReason {
  if (nonEmpty(message.refusal) !== undefined) return "refusal";
  switch (text(message.finish_reason)) {
    case "length":
      return "length";
    case "content_filter":
      return "refusal";
    default:
      return parts.some((part) => part.type === "toolCall") ? "toolUse" : "stop";
  }
}

import type { AssistantContentPart, UserContentPart } from "@holdfast/message-schema";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { dataUrlImage } from "../data-url.ts";
import { isObject, type JsonObject, label, list, nonEmpty, property, quote, text } from "../json-value.ts";
import { keptFields } from "../kept-fields.ts";
import { present } from "../optional-fields.ts";
import type { DocumentReader, ReadReport } from "../transcript-reader.ts";

/** Logs of Inspect: each sample is a conversation. Its calls are `{ id, function, arguments }`, not the wire shape. */
export const inspect: DocumentReader = {
  format: "inspect",
  layout: "document",
  refuse: (document) =>
    isObject(property(document, "eval")) && Array.isArray(property(document, "samples"))
      ? undefined
      : "no eval beside samples",
  read: (document, report) =>
    list(property(document, "samples")).map((sample) => {
      const builder = createConversationBuilder();
      for (const [ordinal, message] of list(property(sample, "messages")).entries()) {
        if (isObject(message)) addMessage(builder, message, ordinal, report);
      }
      return builder.finish(`sample-${label(property(sample, "id"))}-epoch-${label(property(sample, "epoch") ?? 1)}`);
    }),
};

function addMessage(builder: ConversationBuilder, message: JsonObject, ordinal: number, report: ReadReport): void {
  const { role, content, tool_calls: calls, tool_call_id: callId, error, ...others } = message;
  const rest = keptFields(others);
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : list(content).map(userPart);
  switch (role) {
    case "system":
    case "user":
      builder.add({ ...rest, role, content: typeof content === "string" ? content : parts }, ordinal);
      return;
    case "assistant": {
      const asked = list(calls).map((call) => callPart(builder, call));
      const said =
        typeof content === "string" ? parts.filter((part) => content !== "" && part) : assistantParts(content);
      const all: AssistantContentPart[] = [...said, ...asked].map((part) => {
        return part.type === "image" ? { type: "opaque", value: part } : part;
      });
      const stopReason = asked.length > 0 ? "toolUse" : "stop";
      builder.add({ ...rest, role, content: all, stopReason, ...present({ model: nonEmpty(message.model) }) }, ordinal);
      return;
    }
    case "tool": {
      const answered = builder.calls.answer({ id: nonEmpty(callId), name: nonEmpty(message.function) });
      const isError = error !== undefined && error !== null;
      builder.add({ ...rest, role: "toolResult", ...answered, content: parts, isError }, ordinal);
      return;
    }
    default:
      report.note({ problem: `message ${ordinal} has the unknown role ${quote(role)}`, action: "set aside" });
  }
}

function callPart(builder: ConversationBuilder, call: unknown): AssistantContentPart {
  const name = nonEmpty(property(call, "function")) ?? "unknown";
  const id = builder.calls.ask({ name, id: nonEmpty(property(call, "id")) });
  return { type: "toolCall", id, name, ...callArguments(property(call, "arguments")) };
}

function assistantParts(content: unknown): readonly (AssistantContentPart | UserContentPart)[] {
  return list(content).map((part) => {
    const thinking = property(part, "type") === "reasoning" ? text(property(part, "reasoning")) : undefined;
    if (thinking === undefined) return userPart(part);
    return { type: "thinking" as const, thinking, ...present({ signature: nonEmpty(property(part, "signature")) }) };
  });
}

function userPart(part: unknown): UserContentPart {
  if (isObject(part)) {
    if (part.type === "text" && typeof part.text === "string") return part as unknown as UserContentPart;
    const image = part.type === "image" ? dataUrlImage(part.image) : undefined;
    if (image) return image;
  }
  return { type: "opaque", value: part };
}

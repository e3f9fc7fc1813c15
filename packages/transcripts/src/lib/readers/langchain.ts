import type { AssistantContentPart, Usage, UserContentPart } from "@holdfast/message-schema";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { dataUrlImage } from "../data-url.ts";
import { amount, isObject, type JsonObject, list, nonEmpty, property, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import type { DocumentReader, ReadReport } from "../transcript-reader.ts";

/**
 * Messages of LangChain as it serialises them (`{ lc, id, kwargs }`, `{ type, data }` or flat): a list, a state with
 * `messages`, a stream of `[mode, value]` events, or named streams, a conversation each. Of a stream the last state with
 * messages counts: the chunks before it repeat it.
 */
export const langChain: DocumentReader = {
  format: "langchain",
  layout: "document",
  refuse: (document) =>
    conversationsIn(document).length > 0
      ? undefined
      : "no messages with lc and kwargs, or with a type and data or content",
  read: (document, report) =>
    conversationsIn(document).map(({ id, messages }) => {
      const builder = createConversationBuilder();
      for (const [ordinal, message] of messages.entries()) addMessage(builder, message, ordinal, report);
      return builder.finish(id);
    }),
};

interface Found {
  readonly id: string;
  readonly messages: readonly unknown[];
}

function conversationsIn(document: unknown): readonly Found[] {
  const messages = stateMessages(document);
  if (messages) return [{ id: nonEmpty(property(document, "id")) ?? "conversation", messages }];
  if (!isObject(document)) return [];
  return Object.entries(document).flatMap(([id, value]) => {
    const found = Array.isArray(value) ? stateMessages(value) : undefined;
    return found ? [{ id, messages: found }] : [];
  });
}

/** The messages of a list, a state or a stream. */
function stateMessages(value: unknown): readonly unknown[] | undefined {
  const direct = Array.isArray(value)
    ? value
    : (property(value, "messages") ?? property(property(value, "values"), "messages"));
  if (Array.isArray(direct) && direct.length > 0 && direct.every((item) => messageKind(item) !== undefined)) {
    return direct;
  }
  if (!Array.isArray(value) || !value.every(Array.isArray)) return undefined;
  const states = value.flatMap(([mode, state]) => (mode === "values" ? [property(state, "messages")] : []));
  const last = states.findLast((state) => Array.isArray(state) && state.length > 0);
  return last === undefined ? undefined : stateMessages(last);
}

const kinds: ReadonlyMap<unknown, "system" | "human" | "ai" | "tool"> = new Map([
  ["SystemMessage", "system"],
  ["SystemMessageChunk", "system"],
  ["HumanMessage", "human"],
  ["HumanMessageChunk", "human"],
  ["AIMessage", "ai"],
  ["AIMessageChunk", "ai"],
  ["ToolMessage", "tool"],
  ["ToolMessageChunk", "tool"],
  ["system", "system"],
  ["human", "human"],
  ["ai", "ai"],
  ["tool", "tool"],
]);

function messageKind(message: unknown): "system" | "human" | "ai" | "tool" | undefined {
  if (property(message, "lc") !== undefined) return kinds.get(list(property(message, "id")).at(-1));
  const hasFields = isObject(property(message, "data")) || property(message, "content") !== undefined;
  return hasFields && property(message, "role") === undefined ? kinds.get(property(message, "type")) : undefined;
}

function addMessage(builder: ConversationBuilder, message: unknown, ordinal: number, report: ReadReport): void {
  const fields = property(message, "kwargs") ?? property(message, "data") ?? message;
  if (!isObject(fields)) {
    report.note({ problem: `message ${ordinal} has no fields`, action: "set aside" });
    return;
  }
  const { content } = fields;
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : list(content).map(userPart);
  const common = { id: fields.id, ...present({ name: nonEmpty(fields.name) }) };
  switch (messageKind(message)) {
    case "system":
    case "human": {
      const role = messageKind(message) === "system" ? "system" : "user";
      builder.add({ ...common, role, content: typeof content === "string" ? content : parts }, ordinal);
      return;
    }
    case "ai":
      addAnswer(builder, fields, common, ordinal);
      return;
    case "tool":
      builder.add(
        {
          ...common,
          role: "toolResult",
          ...builder.calls.answer({ id: nonEmpty(fields.tool_call_id), name: nonEmpty(fields.name) }),
          content: parts,
          isError: fields.status === "error",
        },
        ordinal,
      );
      return;
    default:
      report.note({ problem: `message ${ordinal} is of an unknown class`, action: "set aside" });
  }
}

function addAnswer(builder: ConversationBuilder, fields: JsonObject, common: { id: unknown }, ordinal: number): void {
  const metadata = fields.response_metadata;
  const content: AssistantContentPart[] = [
    ...reasoningParts(property(fields.additional_kwargs, "reasoning")),
    ...saidParts(fields),
    ...list(fields.tool_calls).map((call): AssistantContentPart => {
      const name = nonEmpty(property(call, "name")) ?? "unknown";
      const id = builder.calls.ask({ name, id: nonEmpty(property(call, "id")) });
      return { type: "toolCall", id, name, ...callArguments(property(call, "args")) };
    }),
  ];
  builder.add(
    {
      ...common,
      role: "assistant",
      content,
      stopReason: content.some((part) => part.type === "toolCall") ? "toolUse" : "stop",
      ...present({
        usage: usageOf(fields.usage_metadata),
        provider: nonEmpty(property(metadata, "model_provider")),
        model: nonEmpty(property(metadata, "model_name")),
      }),
    },
    ordinal,
  );
}

/** Content blocks that only repeat `tool_calls`. */
const callBlocks: ReadonlySet<unknown> = new Set(["tool_use", "tool_call", "function_call", "tool_call_chunk"]);

function saidParts({ content, tool_calls: calls }: JsonObject): readonly AssistantContentPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  const areCallsKnown = list(calls).length > 0;
  return list(content)
    .filter((part) => !areCallsKnown || !callBlocks.has(property(part, "type")))
    .map((part): AssistantContentPart => {
      if (typeof part === "string") return { type: "text", text: part };
      const said = text(property(part, "text"));
      if (property(part, "type") === "text" && said !== undefined) return { type: "text", text: said };
      const thinking = text(property(part, "thinking")) ?? text(property(part, "reasoning"));
      if (thinking === undefined) return { type: "opaque", value: part };
      return { type: "thinking", thinking, ...present({ signature: nonEmpty(property(part, "signature")) }) };
    });
}

function reasoningParts(reasoning: unknown): readonly AssistantContentPart[] {
  const lines = list(property(reasoning, "summary")).flatMap((part) => text(property(part, "text")) ?? []);
  return lines.length === 0 ? [] : [{ type: "thinking", thinking: lines.join("\n\n") }];
}

function userPart(part: unknown): UserContentPart {
  if (typeof part === "string") return { type: "text", text: part };
  const said = text(property(part, "text"));
  if (property(part, "type") === "text" && said !== undefined) return { type: "text", text: said };
  const url = property(part, "image_url");
  return dataUrlImage(isObject(url) ? url.url : url) ?? { type: "opaque", value: part };
}

/** The cached part is inside the input. */
function usageOf(usage: unknown): Usage | undefined {
  const allInput = amount(property(usage, "input_tokens"));
  const output = amount(property(usage, "output_tokens"));
  if (allInput === undefined || output === undefined) return undefined;
  const details = property(usage, "input_token_details");
  const cacheRead = amount(property(details, "cache_read")) ?? 0;
  const cacheWrite = amount(property(details, "cache_creation")) ?? 0;
  const input = Math.max(0, allInput - cacheRead - cacheWrite);
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: amount(property(usage, "total_tokens")) ?? allInput + output,
  };
}

import type { AssistantContentPart, Usage } from "@holdfast/message-schema";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { geminiUserParts } from "../gemini-parts.ts";
import { amount, isObject, type JsonObject, label, list, moment, nonEmpty, property, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import { resultParts } from "../result-parts.ts";
import type { DocumentReader, ReadReport } from "../transcript-reader.ts";

/** Notices of the screen. */
const silentTypes: ReadonlySet<unknown> = new Set(["info", "error", "warning"]);

/** Chat files of Gemini CLI: calls and their results stand in one message. */
export const geminiCli: DocumentReader = {
  format: "gemini-cli",
  layout: "document",
  refuse(document) {
    return text(property(document, "sessionId")) !== undefined &&
      Array.isArray(property(document, "messages")) &&
      list(property(document, "messages")).every((message) => text(property(message, "type")) !== undefined)
      ? undefined
      : "no sessionId beside a messages list with types";
  },
  read(document, report) {
    const builder = createConversationBuilder();
    list(property(document, "messages")).forEach((message, ordinal) => {
      if (isObject(message)) addMessage(builder, message, ordinal, report);
    });
    return [builder.finish(nonEmpty(property(document, "sessionId")) ?? "session")];
  },
};

function addMessage(builder: ConversationBuilder, message: JsonObject, ordinal: number, report: ReadReport): void {
  const common = { id: message.id, ...present({ timestamp: moment(message.timestamp) }) };
  switch (message.type) {
    case "user": {
      const { content } = message;
      builder.add(
        { ...common, role: "user", content: typeof content === "string" ? content : geminiUserParts(list(content)) },
        ordinal,
      );
      return;
    }
    case "gemini":
      addAnswer(builder, message, common, ordinal);
      return;
    default:
      if (!silentTypes.has(message.type)) report.ignore(label(message.type));
  }
}

function addAnswer(builder: ConversationBuilder, message: JsonObject, common: { id: unknown }, ordinal: number): void {
  const calls = list(message.toolCalls).filter(isObject);
  const ids = calls.map((call) => {
    return builder.calls.ask({ name: nonEmpty(call.name) ?? "unknown", id: nonEmpty(call.id) });
  });
  const content: AssistantContentPart[] = [
    ...list(message.thoughts).map(thinkingPart),
    ...saidParts(message.content),
    ...calls.map((call, index): AssistantContentPart => {
      const name = nonEmpty(call.name) ?? "unknown";
      return { type: "toolCall", id: ids[index] ?? "", name, ...callArguments(call.args) };
    }),
  ];
  builder.add(
    {
      ...common,
      role: "assistant",
      content,
      stopReason: calls.length > 0 ? "toolUse" : "stop",
      ...present({ usage: usageOf(message.tokens), model: nonEmpty(message.model) }),
    },
    ordinal,
  );
  calls.forEach((call, index) => {
    if (!Array.isArray(call.result)) return;
    builder.add(
      {
        role: "toolResult",
        ...builder.calls.answer({ id: ids[index] }),
        content: call.result.flatMap(responseParts),
        isError: call.status === "error" || call.status === "cancelled",
        ...present({ timestamp: moment(call.timestamp) }),
      },
      ordinal,
    );
  });
}

function saidParts(content: unknown): readonly AssistantContentPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return geminiUserParts(list(content)).map((part): AssistantContentPart => {
    return part.type === "image" ? { type: "opaque", value: part } : part;
  });
}

/** Of a function's response the model reads the output, or the error. */
function responseParts(item: unknown) {
  const response = property(property(item, "functionResponse"), "response");
  if (response === undefined) return geminiUserParts([item]);
  return resultParts(property(response, "output") ?? property(response, "error") ?? response);
}

function thinkingPart(thought: unknown): AssistantContentPart {
  const lines = [text(property(thought, "subject")), text(property(thought, "description"))];
  return { type: "thinking", thinking: lines.filter((line) => line !== undefined).join("\n\n") };
}

/** The cached part is inside the input; what was thought is beside the output. */
function usageOf(tokens: unknown): Usage | undefined {
  const input = amount(property(tokens, "input"));
  const output = amount(property(tokens, "output"));
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = Math.min(input, amount(property(tokens, "cached")) ?? 0);
  const written = output + (amount(property(tokens, "thoughts")) ?? 0);
  const totalTokens = amount(property(tokens, "total")) ?? input + written;
  return { input: input - cacheRead, output: written, cacheRead, cacheWrite: 0, totalTokens };
}

import type { AssistantContentPart, UserContentPart } from "@holdfast/message-schema";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder, type MessageDraft } from "../conversation-builder.ts";
import { dataUrlImage } from "../data-url.ts";
import { isObject, type JsonObject, list, moment, nonEmpty, property, quote, text } from "../json-value.ts";
import { haveRoles, messagesIn } from "../messages-in.ts";
import { present } from "../optional-fields.ts";
import { resultParts } from "../result-parts.ts";
import type { DocumentReader } from "../transcript-reader.ts";

const roles: ReadonlySet<unknown> = new Set(["system", "user", "assistant"]);

/** UI messages of the Vercel AI SDK. A tool part holds a call and its result; each step is an assistant message. */
export const aiSdkUi: DocumentReader = {
  format: "ai-sdk-ui",
  layout: "document",
  refuse(document) {
    const messages = messagesIn(document) ?? [];
    const haveParts = messages.every((message) =>
      list(property(message, "parts")).every((part) => text(property(part, "type")) !== undefined),
    );
    const hasParts = messages.some((message) => Array.isArray(property(message, "parts")));
    return haveRoles(messages, roles) && hasParts && haveParts ? undefined : "no messages with typed parts";
  },
  read(document, report) {
    const builder = createConversationBuilder();
    for (const [ordinal, message] of (messagesIn(document) ?? []).entries()) {
      const role = property(message, "role");
      if (isObject(message) && roles.has(role)) addUiMessage(builder, message, ordinal);
      else
        report.note({
          problem: `message ${ordinal} has the unknown role ${quote(role)}`,
          action: "set aside",
        });
    }
    return [builder.finish(nonEmpty(property(document, "id")) ?? "conversation")];
  },
};

export function addUiMessage(builder: ConversationBuilder, message: JsonObject, ordinal: number): void {
  const { role, id, metadata } = message;
  const common = { ...present({ metadata, timestamp: moment(message.createdAt) }) };
  const parts = Array.isArray(message.parts) ? message.parts : [{ type: "text", text: text(message.content) ?? "" }];
  if (role === "system" || role === "user") {
    builder.add({ ...common, id, role, content: parts.map(userPart) }, ordinal);
    return;
  }
  let isFirst = true;
  for (const step of stepsOf(parts)) {
    const drafts = stepDrafts(builder, step);
    for (const draft of drafts) {
      builder.add({ ...common, ...draft, id: isFirst ? id : undefined }, ordinal);
      isFirst = false;
    }
  }
}

function stepsOf(parts: readonly unknown[]): readonly (readonly unknown[])[] {
  const steps: unknown[][] = [[]];
  for (const part of parts) {
    if (property(part, "type") === "step-start") steps.push([]);
    else steps.at(-1)?.push(part);
  }
  return steps.filter((step) => step.length > 0);
}

/** The step's assistant message, then the results of its calls that have come. */
function stepDrafts(builder: ConversationBuilder, step: readonly unknown[]): readonly MessageDraft[] {
  const results: MessageDraft[] = [];
  const content = step.map((part): AssistantContentPart => {
    const type = text(property(part, "type")) ?? "";
    const said = text(property(part, "text"));
    if (type === "text" && said !== undefined) return { type: "text", text: said };
    if (type === "reasoning" && said !== undefined) return { type: "thinking", thinking: said };
    const invocation = type === "tool-invocation" ? property(part, "toolInvocation") : part;
    const isCall = type === "dynamic-tool" || type === "tool-invocation" || type.startsWith("tool-");
    if (!isCall || !isObject(invocation)) return { type: "opaque", value: part };
    const name = nonEmpty(invocation.toolName) ?? type.slice("tool-".length);
    const id = builder.calls.ask({ name, id: nonEmpty(invocation.toolCallId) });
    const result = resultOf(invocation);
    if (result) results.push({ ...result, role: "toolResult", ...builder.calls.answer({ id }) });
    return { type: "toolCall", id, name, ...callArguments(invocation.input ?? invocation.args) };
  });
  const stopReason = content.some((part) => part.type === "toolCall") ? "toolUse" : "stop";
  return [{ role: "assistant", content, stopReason }, ...results];
}

function resultOf(invocation: JsonObject) {
  switch (invocation.state) {
    case "output-available":
      return { content: resultParts(invocation.output), isError: false };
    case "output-error":
      return { content: resultParts(invocation.errorText), isError: true };
    case "output-denied":
      return { content: resultParts("execution denied"), isError: true };
    case "result":
      return { content: resultParts(invocation.result), isError: false };
    default:
      return undefined;
  }
}

function userPart(part: unknown): UserContentPart {
  const said = property(part, "type") === "text" ? text(property(part, "text")) : undefined;
  if (said !== undefined) return { type: "text", text: said };
  return dataUrlImage(property(part, "url")) ?? { type: "opaque", value: part };
}

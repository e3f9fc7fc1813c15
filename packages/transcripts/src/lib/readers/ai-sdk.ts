import type { AssistantContentPart, UserContentPart } from "@holdfast/message-schema";
import { toolOutput } from "../ai-sdk-output.ts";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { dataUrlImage } from "../data-url.ts";
import { isObject, type JsonObject, list, nonEmpty, property, quote, text } from "../json-value.ts";
import { keptFields } from "../kept-fields.ts";
import { haveRoles, messagesIn, partTypes } from "../messages-in.ts";
import { present } from "../optional-fields.ts";
import type { DocumentReader, ReadReport } from "../transcript-reader.ts";

const roles: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

/** Content parts that only the AI SDK's model messages have. */
const ownParts = ["tool-call", "tool-result", "tool-approval-request", "tool-approval-response", "reasoning"];

/** Model messages of the Vercel AI SDK (`ModelMessage[]`, also the older `CoreMessage[]`). */
export const aiSdk: DocumentReader = {
  format: "ai-sdk",
  layout: "document",
  refuse(document) {
    const messages = messagesIn(document);
    if (!messages || !haveRoles(messages, roles)) return "no list of system, user, assistant and tool messages";
    const types = partTypes(messages);
    const hasOwnImage = messages.some((message) =>
      list(property(message, "content")).some((part) => {
        return property(part, "type") === "image" && text(property(part, "image")) !== undefined;
      }),
    );
    return hasOwnImage || ownParts.some((type) => types.has(type))
      ? undefined
      : "no tool-call, tool-result or reasoning part";
  },
  read(document, report) {
    const builder = createConversationBuilder();
    const system = nonEmpty(property(document, "system"));
    if (system !== undefined) builder.add({ role: "system", content: system }, 0);
    for (const [ordinal, message] of (messagesIn(document) ?? []).entries()) {
      if (isObject(message)) addModelMessage(builder, message, ordinal, report);
    }
    return [builder.finish(nonEmpty(property(document, "id")) ?? "conversation")];
  },
};

function addModelMessage(builder: ConversationBuilder, message: JsonObject, ordinal: number, report: ReadReport): void {
  const { role, content, ...others } = message;
  const rest = keptFields(others);
  switch (role) {
    case "system":
    case "user": {
      const said = typeof content === "string" ? content : list(content).map(userPart);
      builder.add({ ...rest, role, content: said }, ordinal);
      return;
    }
    case "assistant": {
      const parts = typeof content === "string" ? [{ type: "text", text: content }] : list(content);
      const said = parts.filter((part) => property(part, "text") !== "" || property(part, "type") !== "text");
      const all = said.map((part) => assistantPart(builder, part));
      const stopReason = all.some((part) => part.type === "toolCall") ? "toolUse" : "stop";
      builder.add({ ...rest, role, content: all, stopReason }, ordinal);
      return;
    }
    case "tool":
      for (const [index, part] of list(content).entries()) {
        const id = index === 0 ? message.id : undefined;
        if (property(part, "type") === "tool-result") addResult(builder, part, { ...rest, id }, ordinal);
        else report.note({ problem: `message ${ordinal} has a part that is no tool result`, action: "set aside" });
      }
      return;
    default:
      report.note({ problem: `message ${ordinal} has the unknown role ${quote(role)}`, action: "set aside" });
  }
}

function addResult(builder: ConversationBuilder, part: unknown, common: { id: unknown }, ordinal: number): void {
  const { content, isError } = toolOutput(property(part, "output") ?? property(part, "result"));
  const answered = builder.calls.answer({
    id: nonEmpty(property(part, "toolCallId")),
    name: nonEmpty(property(part, "toolName")),
  });
  builder.add(
    { ...common, role: "toolResult", ...answered, content, isError: isError || property(part, "isError") === true },
    ordinal,
  );
}

function userPart(part: unknown): UserContentPart {
  if (isObject(part)) {
    if (part.type === "text" && typeof part.text === "string") return part as unknown as UserContentPart;
    const mimeType = nonEmpty(part.mediaType) ?? nonEmpty(part.mimeType);
    const data = part.type === "image" ? part.image : part.type === "file" ? part.data : undefined;
    const image = dataUrlImage(data);
    if (image) return image;
    const isPlain = typeof data === "string" && !/^[a-z]+:/i.test(data);
    if (isPlain && mimeType?.startsWith("image/")) return { type: "image", data, mimeType };
  }
  return { type: "opaque", value: part };
}

function assistantPart(builder: ConversationBuilder, part: unknown): AssistantContentPart {
  if (!isObject(part)) return { type: "opaque", value: part };
  switch (part.type) {
    case "text":
      if (typeof part.text === "string") return part as unknown as AssistantContentPart;
      break;
    case "reasoning":
      if (typeof part.text === "string") return reasoningPart(part, part.text);
      break;
    case "tool-call": {
      const name = nonEmpty(part.toolName);
      if (name === undefined || part.providerExecuted === true) break;
      const { toolCallId, toolName: _, input, args, ...rest } = part;
      const id = builder.calls.ask({ name, id: nonEmpty(toolCallId) });
      return { ...rest, type: "toolCall", id, name, ...callArguments(input ?? args) };
    }
  }
  return { type: "opaque", value: part };
}

/** The signature stands in the options of whichever provider made it. */
function reasoningPart(part: JsonObject, thinking: string): AssistantContentPart {
  const { text: _, ...rest } = part;
  const options = isObject(part.providerOptions) ? Object.values(part.providerOptions) : [];
  const signatures = options.map((option) => nonEmpty(property(option, "signature")));
  return {
    ...rest,
    type: "thinking",
    thinking,
    ...present({ signature: signatures.find((found) => found !== undefined) }),
  };
}

import type { AssistantContentPart } from "@holdfast/message-schema";
import { callArguments } from "./call-arguments.ts";
import type { ConversationBuilder, MessageDraft } from "./conversation-builder.ts";
import { geminiUserParts } from "./gemini-parts.ts";
import { list, nonEmpty, property, text } from "./json-value.ts";
import { present } from "./optional-fields.ts";
import { resultParts } from "./result-parts.ts";
import type { ReadReport } from "./transcript-reader.ts";

export interface ContentPlace {
  readonly ordinal: number;
  /** Fields every message of this content gets; the id goes to the first. */
  readonly common?: { readonly id?: unknown };
  readonly report: ReadReport;
}

/** Adds one of Google's `Content` values: function responses stand in the user's role beside what the user said. */
export function addGoogleContent(builder: ConversationBuilder, content: unknown, place: ContentPlace): void {
  const { ordinal, common = {}, report } = place;
  const parts = list(property(content, "parts"));
  if (property(content, "role") === "model") {
    const said = parts.map((part) => modelPart(builder, part));
    const stopReason = said.some((part) => part.type === "toolCall") ? "toolUse" : "stop";
    builder.add({ ...common, role: "assistant", content: said, stopReason }, ordinal);
    return;
  }
  if (property(content, "role") !== "user" && property(content, "role") !== "function") {
    report.note({ problem: `content ${ordinal} has no role user or model`, action: "set aside" });
    return;
  }
  const responses = parts.filter((part) => functionResponse(part) !== undefined);
  const said = parts.filter((part) => functionResponse(part) === undefined);
  const drafts: MessageDraft[] = responses.map((part) => resultDraft(builder, functionResponse(part)));
  if (said.length > 0) drafts.push({ role: "user", content: geminiUserParts(said) });
  for (const [index, draft] of drafts.entries()) {
    builder.add({ ...common, ...draft, id: index === 0 ? common.id : undefined }, ordinal);
  }
}

function functionResponse(part: unknown): unknown {
  return property(part, "functionResponse") ?? property(part, "function_response");
}

function resultDraft(builder: ConversationBuilder, response: unknown): MessageDraft {
  const value = property(response, "response");
  const error = property(value, "error");
  return {
    role: "toolResult",
    ...builder.calls.answer({ id: nonEmpty(property(response, "id")), name: nonEmpty(property(response, "name")) }),
    content: resultParts(property(value, "output") ?? error ?? value),
    isError: error !== undefined && error !== null,
  };
}

function modelPart(builder: ConversationBuilder, part: unknown): AssistantContentPart {
  const signature = present({
    signature: nonEmpty(property(part, "thoughtSignature")) ?? nonEmpty(property(part, "thought_signature")),
  });
  const call = property(part, "functionCall") ?? property(part, "function_call");
  if (call !== undefined) {
    const name = nonEmpty(property(call, "name")) ?? "unknown";
    const id = builder.calls.ask({ name, id: nonEmpty(property(call, "id")) });
    return { type: "toolCall", id, name, ...signature, ...callArguments(property(call, "args")) };
  }
  const said = text(property(part, "text"));
  if (said === undefined) return { type: "opaque", value: part };
  return property(part, "thought") === true
    ? { type: "thinking", thinking: said, ...signature }
    : { type: "text", text: said, ...signature };
}

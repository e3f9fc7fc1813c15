import { anthropicStopReason, assistantParts, splitUserContent } from "../anthropic-content.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { amount, isObject, type JsonObject, list, moment, nonEmpty, property, quote } from "../json-value.ts";
import { keptFields } from "../kept-fields.ts";
import { haveRoles, messagesIn, partTypes } from "../messages-in.ts";
import { present } from "../optional-fields.ts";
import { anthropicUsage } from "../token-usage.ts";
import type { DocumentReader, ReadReport } from "../transcript-reader.ts";

const roles: ReadonlySet<unknown> = new Set(["user", "assistant"]);

/** Content blocks that only Anthropic's messages have. */
const ownBlocks: readonly string[] = [
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "compaction",
  "server_tool_use",
  "document",
];

/**
 * Lists of Anthropic messages, request bodies (`system` becomes the first message), single responses, and Cline's
 * session files, which wrap such a list.
 */
export const anthropicMessages: DocumentReader = {
  format: "anthropic-messages",
  layout: "document",
  refuse(document) {
    const messages = responseOrMessages(document);
    if (!messages) return "no list of messages and no response";
    if (!haveRoles(messages, roles)) return "messages with other roles than user and assistant";
    if (messages.some((message) => property(message, "role") === "toolResult")) return "results in a role of their own";
    const types = partTypes(messages);
    const hasSource = messages.some((message) =>
      list(property(message, "content")).some((block) => isObject(property(block, "source"))),
    );
    const isOwn = hasSource || ownBlocks.some((type) => types.has(type)) || property(document, "system") !== undefined;
    return isOwn ? undefined : "no system beside the messages and no tool_use, tool_result or thinking block";
  },
  read: (document, report) => [readAnthropic(document, report)],
};

export function readAnthropic(document: unknown, report: ReadReport) {
  const builder = createConversationBuilder();
  const system = property(document, "system");
  if (typeof system === "string") builder.add({ role: "system", content: system }, 0);
  else if (Array.isArray(system)) {
    const [prompt] = splitUserContent(system);
    if (prompt?.kind === "user") builder.add({ role: "system", content: prompt.content }, 0);
  }
  for (const [ordinal, message] of (responseOrMessages(document) ?? []).entries()) {
    const role = property(message, "role");
    if (isObject(message) && roles.has(role)) addAnthropicMessage(builder, message, ordinal);
    else report.note({ problem: `message ${ordinal} has the unknown role ${quote(role)}`, action: "set aside" });
  }
  return builder.finish(
    nonEmpty(property(document, "sessionId")) ?? nonEmpty(property(document, "id")) ?? "conversation",
  );
}

function responseOrMessages(document: unknown): readonly unknown[] | undefined {
  const isResponse = property(document, "type") === "message" && Array.isArray(property(document, "content"));
  return isResponse ? [document] : messagesIn(document);
}

function addAnthropicMessage(builder: ConversationBuilder, message: JsonObject, ordinal: number): void {
  const { role, content, stop_reason: stopReason, usage, ...rest } = message;
  const common = { ...keptFields(rest), ...present({ timestamp: moment(message.ts) ?? moment(message.timestamp) }) };
  if (role === "assistant") {
    const compaction = list(content).find((block) => property(block, "type") === "compaction");
    if (compaction !== undefined) {
      const summary = nonEmpty(property(compaction, "content")) ?? null;
      builder.compaction({ at: builder.length, summary, replaces: "prefix" });
    }
    const parts = assistantParts(content, builder.calls);
    const model = present({ model: nonEmpty(message.model) ?? nonEmpty(property(message.modelInfo, "id")) });
    const provider = present({ provider: nonEmpty(property(message.modelInfo, "provider")) });
    const reported = present({ usage: anthropicUsage(usage) ?? clineUsage(message.metrics) });
    builder.add(
      {
        ...common,
        role: "assistant",
        content: parts,
        stopReason: anthropicStopReason(stopReason, parts),
        ...model,
        ...provider,
        ...reported,
      },
      ordinal,
    );
    return;
  }
  for (const [index, piece] of splitUserContent(content).entries()) {
    const base = { ...common, id: index === 0 ? message.id : undefined };
    if (piece.kind === "result") {
      const answered = builder.calls.answer({ id: piece.toolUseId, name: piece.name });
      builder.add(
        { ...base, role: "toolResult", ...answered, content: piece.content, isError: piece.isError },
        ordinal,
      );
    } else {
      builder.add({ ...base, role: "user", content: piece.content }, ordinal);
    }
  }
}

/** Cline counts the cached part into the input. */
function clineUsage(metrics: unknown) {
  const input = amount(property(metrics, "inputTokens"));
  const cacheRead = amount(property(metrics, "cacheReadTokens")) ?? 0;
  const cacheWrite = amount(property(metrics, "cacheWriteTokens")) ?? 0;
  if (input === undefined) return undefined;
  return anthropicUsage({
    input_tokens: input - cacheRead - cacheWrite,
    output_tokens: property(metrics, "outputTokens"),
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  });
}

import type { AssistantContentPart } from "@holdfast/message-schema";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { amount, isObject, type JsonObject, label, list, moment, nonEmpty, property, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import { resultParts } from "../result-parts.ts";
import type { LineReader, LineReading, ReadReport } from "../transcript-reader.ts";

/** Events about the session, and those that repeat what a message says. */
const silentTypes = /^(?:session|hook|permission|subagent|skill|assistant|tool|user_input|abort)\b/;

/** Event files of GitHub's Copilot CLI. */
export const copilotCli: LineReader = {
  format: "copilot-cli",
  layout: "lines",
  refuse(sample) {
    const isEvent = (value: unknown) =>
      /^(?:session|assistant|user|tool|system)\.\w+$/.test(text(property(value, "type")) ?? "") &&
      isObject(property(value, "data")) &&
      text(property(value, "id")) !== undefined;
    return sample.some(isEvent) ? undefined : "no session.*, user.* or assistant.* event with data and an id";
  },
  open: openCopilot,
};

function openCopilot(report: ReadReport): LineReading {
  const main = createConversationBuilder();
  const subAgents = new Map<string, ConversationBuilder>();
  let sessionId: string | undefined;

  /** A sub-agent's events name the call that started it. */
  function threadOf(data: JsonObject): ConversationBuilder {
    const call = nonEmpty(data.parentToolCallId);
    if (call === undefined) return main;
    const thread = subAgents.get(call) ?? createConversationBuilder();
    subAgents.set(call, thread);
    return thread;
  }

  return {
    record({ value, line, ordinal }) {
      const data = property(value, "data");
      if (!isObject(value) || !isObject(data)) {
        report.note({ line, problem: "an event without data", action: "set aside" });
        return;
      }
      if (value.type === "session.start") sessionId ??= nonEmpty(data.sessionId);
      addEvent(threadOf(data), value, data, { line, ordinal }, report);
    },
    finish: () => [main.finish(sessionId ?? "session"), ...[...subAgents].map(([call, thread]) => thread.finish(call))],
  };
}

function addEvent(
  thread: ConversationBuilder,
  event: JsonObject,
  data: JsonObject,
  place: { readonly line: number; readonly ordinal: number },
  report: ReadReport,
): void {
  const { id } = event;
  const timestamp = moment(event.timestamp);
  switch (event.type) {
    case "system.message":
      thread.add({ id, timestamp, role: "system", content: text(data.content) ?? "" }, place.ordinal);
      return;
    case "user.message": {
      const extra = present({ transformedContent: nonEmpty(data.transformedContent) });
      thread.add({ id, timestamp, ...extra, role: "user", content: text(data.content) ?? "" }, place.ordinal);
      return;
    }
    case "system.notification":
      thread.add({ id, timestamp, role: "user", origin: "injected", content: text(data.content) ?? "" }, place.ordinal);
      return;
    case "assistant.message": {
      const content = assistantParts(data, thread);
      const stopReason = content.some((part) => part.type === "toolCall") ? "toolUse" : "stop";
      const model = nonEmpty(data.model);
      thread.add({ id, timestamp, role: "assistant", content, stopReason, model }, place.ordinal);
      return;
    }
    case "tool.execution_complete": {
      const { toolCallId, toolName } = thread.calls.answer({ id: nonEmpty(data.toolCallId) });
      const content = resultParts(property(data.result, "content") ?? property(data.error, "message"));
      const isError = data.success === false;
      thread.add({ id, timestamp, role: "toolResult", toolCallId, toolName, content, isError }, place.ordinal);
      return;
    }
    case "session.compaction_complete":
      if (data.success !== false) addCompaction(thread, data);
      return;
    default:
      if (!silentTypes.test(label(event.type))) report.ignore(label(event.type), place.line);
  }
}

function assistantParts(data: JsonObject, thread: ConversationBuilder): readonly AssistantContentPart[] {
  const signature = present({ signature: nonEmpty(data.reasoningOpaque) });
  const thinking = text(data.reasoningText);
  const said = nonEmpty(data.content);
  return [
    ...(thinking === undefined ? [] : [{ type: "thinking" as const, thinking, ...signature }]),
    ...(said === undefined ? [] : [{ type: "text" as const, text: said }]),
    ...list(data.toolRequests).map((request): AssistantContentPart => {
      const name = nonEmpty(property(request, "name")) ?? "unknown";
      const id = thread.calls.ask({ name, id: nonEmpty(property(request, "toolCallId")) });
      return { type: "toolCall", id, name, ...callArguments(property(request, "arguments")) };
    }),
  ];
}

function addCompaction(thread: ConversationBuilder, data: JsonObject): void {
  thread.compaction({
    at: thread.length,
    summary: nonEmpty(data.summaryContent) ?? null,
    replaces: "prefix",
    ...present({
      tokensBefore: amount(data.preCompactionTokens),
      tokensAfter: amount(data.postCompactionTokens),
    }),
  });
}

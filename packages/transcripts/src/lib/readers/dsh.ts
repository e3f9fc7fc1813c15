import type { AssistantContentPart, UserContentPart } from "@holdfast/message-schema";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { amount, isObject, type JsonObject, list, moment, nonEmpty, property, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import type { LineReader, LineReading, ReadReport } from "../transcript-reader.ts";

/** Events about the run, and the stream of what a message says in one piece. */
const silentTypes =
  /^(?:session$|permission|sandbox|approval|command|goal|agent|turn|step|request|assistant\/chunk|tool\/call|compaction\/(?:start|end)|\w+(?:-\w+)*-chunks)/;

/** Session logs of DeepSeek's harness. Their first line looks like pi's; events carry `seq`. */
export const dsh: LineReader = {
  format: "dsh",
  layout: "lines",
  refuse(sample) {
    const isEvent = (value: unknown) =>
      text(property(value, "type"))?.includes("/") === true &&
      amount(property(value, "seq")) !== undefined &&
      isObject(property(value, "data"));
    return sample.some(isEvent) ? undefined : "no event with a type like user/message, seq and data";
  },
  open: openDsh,
};

function openDsh(report: ReadReport): LineReading {
  const builder = createConversationBuilder();
  let sessionId: string | undefined;
  return {
    record({ value, line, ordinal }) {
      const type = text(property(value, "type")) ?? "";
      const data = property(value, "data");
      const timestamp = present({ timestamp: moment(property(value, "time")) });
      if (type === "session") sessionId ??= nonEmpty(property(value, "id"));
      else if (type === "user/message") addUser(builder, data, timestamp, ordinal);
      else if (type === "assistant/message") addAssistant(builder, data, timestamp, ordinal);
      else if (type === "tool/result") addResults(builder, data, timestamp, ordinal);
      else if (type === "compaction/summary") addCompaction(builder, data);
      else if (!silentTypes.test(type)) report.ignore(type, line);
    },
    finish: () => [builder.finish(sessionId ?? "session")],
  };
}

interface Common {
  readonly timestamp?: number;
}

/** A goal stands for what the user asked for; any other source is the harness's own. */
function addUser(builder: ConversationBuilder, data: unknown, common: Common, ordinal: number): void {
  const kind = property(property(data, "source"), "kind");
  const isInjected = kind !== undefined && kind !== "user" && kind !== "goal";
  builder.add(
    {
      ...common,
      id: property(data, "id"),
      role: "user",
      content: list(property(data, "content")).map(userPart),
      ...(isInjected ? { origin: "injected" } : {}),
    },
    ordinal,
  );
}

function addAssistant(builder: ConversationBuilder, data: unknown, common: Common, ordinal: number): void {
  const message = property(data, "message");
  const content = list(property(message, "content")).map((part) => assistantPart(part, builder));
  const source = property(message, "source");
  builder.add(
    {
      ...common,
      id: property(message, "id"),
      role: "assistant",
      content,
      stopReason: content.some((part) => part.type === "toolCall") ? "toolUse" : "stop",
      ...present({ provider: nonEmpty(property(source, "provider")), model: nonEmpty(property(source, "model")) }),
    },
    ordinal,
  );
}

function addResults(builder: ConversationBuilder, data: unknown, common: Common, ordinal: number): void {
  const message = property(data, "message");
  for (const [index, part] of list(property(message, "content")).entries()) {
    if (property(part, "type") !== "tool-result") continue;
    builder.add(
      {
        ...common,
        id: index === 0 ? property(message, "id") : undefined,
        role: "toolResult",
        ...builder.calls.answer({ id: nonEmpty(property(part, "toolCallId")) }),
        content: list(property(part, "content")).map(userPart),
        isError: property(part, "isError") === true,
      },
      ordinal,
    );
  }
}

function addCompaction(builder: ConversationBuilder, data: unknown): void {
  const lines = list(property(data, "summary")).flatMap((block) => text(property(block, "text")) ?? []);
  builder.compaction({
    at: builder.length,
    summary: nonEmpty(lines.join("\n")) ?? null,
    replaces: "prefix",
    ...present({ tokensBefore: amount(property(data, "shadowedTokenCount")) }),
  });
}

function userPart(part: unknown): UserContentPart {
  const said = property(part, "type") === "text" ? text(property(part, "text")) : undefined;
  return said === undefined ? { type: "opaque", value: part } : { type: "text", text: said };
}

function assistantPart(part: unknown, builder: ConversationBuilder): AssistantContentPart {
  if (!isObject(part)) return { type: "opaque", value: part };
  if (part.type === "reasoning" && typeof part.text === "string") return { type: "thinking", thinking: part.text };
  if (part.type === "tool-call") return callPart(part, builder);
  return userPart(part) as AssistantContentPart;
}

function callPart(part: JsonObject, builder: ConversationBuilder): AssistantContentPart {
  const name = nonEmpty(part.name) ?? "unknown";
  return {
    type: "toolCall",
    id: builder.calls.ask({ name, id: nonEmpty(part.id) }),
    name,
    ...callArguments(part.arguments),
  };
}

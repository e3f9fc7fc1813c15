import type { AssistantContentPart, StopReason, Usage } from "@holdfast/message-schema";
import { createAssistantTurn } from "../assistant-turn.ts";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder, type MessageDraft } from "../conversation-builder.ts";
import { amount, isObject, type JsonObject, label, list, moment, nonEmpty, property, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import { resultParts } from "../result-parts.ts";
import type { LineReader, LineReading, ReadReport } from "../transcript-reader.ts";

const silentTypes =
  /^(?:metadata|config\.|tools\.|turn\.|llm\.|usage\.|permission\.|plan_mode\.|full_compaction\.|session\.)/;

/** Wire logs of Kimi CLI. No record is an assistant message: what stands between a step's begin and its end is one. */
export const kimiCli: LineReader = {
  format: "kimi-cli",
  layout: "lines",
  refuse(sample) {
    const isWire = (value: unknown) => {
      const type = property(value, "type");
      return (
        (type === "context.append_message" && isObject(property(value, "message"))) ||
        (type === "context.append_loop_event" && isObject(property(value, "event"))) ||
        (type === "metadata" && text(property(value, "protocol_version")) !== undefined)
      );
    };
    return sample.some(isWire) ? undefined : "no context.append_message or context.append_loop_event record";
  },
  open: openKimi,
};

function openKimi(report: ReadReport): LineReading {
  const builder = createConversationBuilder();
  const turn = createAssistantTurn(builder);
  let step = "";
  let model: { model?: string; provider?: string } = {};

  function loopEvent(event: JsonObject, ordinal: number, timestamp: number | undefined): void {
    const say = (part: AssistantContentPart) => turn.say({ key: step, id: step, ordinal, timestamp }, [part]);
    switch (event.type) {
      case "step.begin":
        turn.end(model);
        step = nonEmpty(event.uuid) ?? `step-${ordinal}`;
        return;
      case "content.part":
        say(contentPart(event.part));
        return;
      case "tool.call":
        say(callPart(event, builder));
        return;
      case "tool.result":
        turn.result({ ...resultDraft(event, builder), ...present({ timestamp }) }, ordinal);
        return;
      case "step.end":
        turn.end({ ...model, stopReason: stopReasonOf(event.finishReason), usage: usageOf(event.usage) });
        return;
      default:
        report.ignore(label(event.type));
    }
  }

  return {
    record({ value, line, ordinal }) {
      const type = label(property(value, "type"));
      const timestamp = moment(property(value, "time"));
      if (type === "context.append_message") {
        turn.end(model);
        const draft = messageDraft(property(value, "message"));
        if (draft) builder.add({ ...draft, ...present({ timestamp }) }, ordinal);
        else report.note({ line, problem: "a message of an unknown role", action: "set aside" });
      } else if (type === "context.append_loop_event") {
        const event = property(value, "event");
        if (isObject(event)) loopEvent(event, ordinal, timestamp);
      } else if (type === "context.apply_compaction") {
        turn.end(model);
        addCompaction(builder, value);
      } else if (type === "llm.request") {
        model = present({ model: nonEmpty(property(value, "model")), provider: nonEmpty(property(value, "provider")) });
      } else if (!silentTypes.test(type)) {
        report.ignore(type, line);
      }
    },
    finish() {
      turn.end(model);
      return [builder.finish("session")];
    },
  };
}

function messageDraft(message: unknown): MessageDraft | undefined {
  const role = property(message, "role");
  if (role !== "user" && role !== "system") return undefined;
  const content = property(message, "content");
  const isInjected = property(property(message, "origin"), "kind") === "injection";
  return {
    role,
    content: typeof content === "string" ? content : list(content).map(userPart),
    ...(isInjected ? { origin: "injected" } : {}),
  };
}

function userPart(part: unknown) {
  const said = property(part, "type") === "text" ? text(property(part, "text")) : undefined;
  return said === undefined ? { type: "opaque" as const, value: part } : { type: "text" as const, text: said };
}

function contentPart(part: unknown): AssistantContentPart {
  const thinking = property(part, "type") === "think" ? text(property(part, "think")) : undefined;
  if (thinking === undefined) return userPart(part);
  return { type: "thinking", thinking, ...present({ signature: nonEmpty(property(part, "encrypted")) }) };
}

function callPart(event: JsonObject, builder: ConversationBuilder): AssistantContentPart {
  const name = nonEmpty(event.name) ?? "unknown";
  const id = builder.calls.ask({ name, id: nonEmpty(event.toolCallId) });
  return { type: "toolCall", id, name, ...callArguments(event.args) };
}

function resultDraft(event: JsonObject, builder: ConversationBuilder): MessageDraft {
  const result = property(event, "result");
  return {
    role: "toolResult",
    ...builder.calls.answer({ id: nonEmpty(event.toolCallId) }),
    content: resultParts(property(result, "output")),
    isError: property(result, "isError") === true,
  };
}

function stopReasonOf(reason: unknown): StopReason {
  switch (reason) {
    case "tool_use":
    case "tool_calls":
      return "toolUse";
    case "max_tokens":
    case "length":
      return "length";
    case "content_filter":
    case "refusal":
      return "refusal";
    default:
      return "stop";
  }
}

function usageOf(usage: unknown): Usage | undefined {
  const input = amount(property(usage, "inputOther"));
  const output = amount(property(usage, "output"));
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = amount(property(usage, "inputCacheRead")) ?? 0;
  const cacheWrite = amount(property(usage, "inputCacheCreation")) ?? 0;
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite };
}

/** `compactedCount` counts messages from the start of the conversation. */
function addCompaction(builder: ConversationBuilder, record: unknown): void {
  const count = amount(property(record, "compactedCount"));
  builder.compaction({
    at: builder.length,
    summary: nonEmpty(property(record, "summary")) ?? null,
    replaces: "prefix",
    ...present({
      keptFrom: count !== undefined && count < builder.length ? count : undefined,
      tokensBefore: amount(property(record, "tokensBefore")),
      tokensAfter: amount(property(record, "tokensAfter")),
    }),
  });
}

import type { AssistantContentPart, StopReason, Usage } from "@holdfast/message-schema";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder, type MessageDraft } from "../conversation-builder.ts";
import { amount, isObject, type JsonObject, list, moment, nonEmpty, property, text } from "../json-value.ts";
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

/** A step under way. Results may stand between its calls; they follow its message. */
interface Step {
  readonly id: unknown;
  readonly ordinal: number;
  readonly timestamp: number | undefined;
  readonly parts: AssistantContentPart[];
  readonly results: { readonly event: JsonObject; readonly ordinal: number; readonly timestamp: number | undefined }[];
}

function openKimi(report: ReadReport): LineReading {
  const builder = createConversationBuilder();
  let step: Step | undefined;
  let model: { model?: string; provider?: string } = {};

  function endStep(end: { readonly stopReason: StopReason; readonly usage?: Usage | undefined } | undefined): void {
    const ended = step;
    step = undefined;
    if (!ended || ended.parts.length === 0) return;
    const { id, parts, timestamp, ordinal } = ended;
    const hasCalls = parts.some((part) => part.type === "toolCall");
    const stopReason = end?.stopReason ?? (hasCalls ? "toolUse" : "stop");
    builder.add(
      { id, role: "assistant", content: parts, stopReason, ...model, ...present({ usage: end?.usage, timestamp }) },
      ordinal,
    );
    for (const result of ended.results) addResult(builder, result);
  }

  function loopEvent(event: JsonObject, ordinal: number, timestamp: number | undefined): void {
    switch (event.type) {
      case "step.begin":
        endStep(undefined);
        step = { id: event.uuid, ordinal, timestamp, parts: [], results: [] };
        return;
      case "content.part":
        step?.parts.push(contentPart(event.part));
        return;
      case "tool.call":
        step?.parts.push(callPart(event, builder));
        return;
      case "tool.result":
        if (step) step.results.push({ event, ordinal, timestamp });
        else addResult(builder, { event, ordinal, timestamp });
        return;
      case "step.end":
        endStep({ stopReason: stopReasonOf(event.finishReason), usage: usageOf(event.usage) });
        return;
      default:
        report.ignore(String(event.type));
    }
  }

  return {
    record({ value, line, ordinal }) {
      const type = String(property(value, "type"));
      const timestamp = moment(property(value, "time"));
      if (type === "context.append_message") {
        endStep(undefined);
        const draft = messageDraft(property(value, "message"));
        if (draft) builder.add({ ...draft, ...present({ timestamp }) }, ordinal);
        else report.note({ line, problem: "a message of an unknown role", action: "set aside" });
      } else if (type === "context.append_loop_event") {
        const event = property(value, "event");
        if (isObject(event)) loopEvent(event, ordinal, timestamp);
      } else if (type === "context.apply_compaction") {
        endStep(undefined);
        addCompaction(builder, value);
      } else if (type === "llm.request") {
        model = present({ model: nonEmpty(property(value, "model")), provider: nonEmpty(property(value, "provider")) });
      } else if (!silentTypes.test(type)) {
        report.ignore(type, line);
      }
    },
    finish() {
      endStep(undefined);
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

function addResult(builder: ConversationBuilder, { event, ordinal, timestamp }: Step["results"][number]): void {
  const result = property(event, "result");
  builder.add(
    {
      role: "toolResult",
      ...builder.calls.answer({ id: nonEmpty(event.toolCallId) }),
      content: resultParts(property(result, "output")),
      isError: property(result, "isError") === true,
      ...present({ timestamp }),
    },
    ordinal,
  );
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

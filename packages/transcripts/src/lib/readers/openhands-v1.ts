import type { AssistantContentPart, UserContentPart } from "@holdfast/message-schema";
import { createAssistantTurn } from "../assistant-turn.ts";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { dataUrlImage } from "../data-url.ts";
import { isObject, type JsonObject, label, list, moment, nonEmpty, property, text, texts } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import type { LineReader, LineReading, ReadReport } from "../transcript-reader.ts";

/** Events about the run. */
const silentKinds: ReadonlySet<unknown> = new Set([
  "ConversationStateUpdateEvent",
  "PauseEvent",
  "CondensationRequest",
]);

/**
 * Event logs of OpenHands version 1, one event a line, or a directory with one event a file. Actions with one
 * `llm_response_id` are one assistant message.
 */
export const openHandsV1: LineReader = {
  format: "openhands-v1",
  layout: "lines",
  refuse(sample) {
    const isEvent = (value: unknown) =>
      /Event$/.test(text(property(value, "kind")) ?? "") && text(property(value, "source")) !== undefined;
    return sample.some(isEvent) ? undefined : "no event with a kind and a source";
  },
  open: openEvents,
};

function openEvents(report: ReadReport): LineReading {
  const builder = createConversationBuilder();
  const turn = createAssistantTurn(builder);

  function event(value: JsonObject, line: number, ordinal: number): void {
    const timestamp = moment(value.timestamp);
    const common = { id: value.id, ...present({ timestamp }) };
    const opening = { key: nonEmpty(value.llm_response_id) ?? `event-${ordinal}`, id: value.id, ordinal, timestamp };
    switch (value.kind) {
      case "SystemPromptEvent":
        turn.end();
        builder.add({ ...common, role: "system", content: [userPart(value.system_prompt)] }, ordinal);
        return;
      case "MessageEvent": {
        const message = property(value, "llm_message");
        if (property(message, "role") === "assistant") {
          turn.say(opening, [...thinkingParts(message), ...textParts(property(message, "content"))]);
          return;
        }
        turn.end();
        builder.add({ ...common, role: "user", content: list(property(message, "content")).map(userPart) }, ordinal);
        return;
      }
      case "ActionEvent":
        turn.say(opening, [...thinkingParts(value), ...textParts(value.thought), callPart(value, builder)]);
        return;
      case "ObservationEvent":
      case "UserRejectObservation":
      case "AgentErrorEvent":
        turn.result({ ...common, ...resultOf(value, builder) }, ordinal);
        return;
      default:
        if (!silentKinds.has(value.kind)) report.ignore(label(value.kind), line);
    }
  }

  return {
    record({ value, line, ordinal }) {
      if (isObject(value)) event(value, line, ordinal);
      else report.note({ line, problem: "not an object", action: "set aside" });
    },
    finish() {
      turn.end();
      return [builder.finish("conversation")];
    },
  };
}

/** Signed blocks where there are some, else the text of the reasoning. */
function thinkingParts(holder: unknown): readonly AssistantContentPart[] {
  const blocks = list(property(holder, "thinking_blocks"));
  if (blocks.length > 0) {
    return blocks.map((block): AssistantContentPart => {
      const thinking = text(property(block, "thinking"));
      if (thinking === undefined) return { type: "opaque", value: block };
      return { type: "thinking", thinking, ...present({ signature: nonEmpty(property(block, "signature")) }) };
    });
  }
  const reasoning = nonEmpty(property(holder, "reasoning_content"));
  return reasoning === undefined ? [] : [{ type: "thinking", thinking: reasoning }];
}

function textParts(content: unknown): readonly AssistantContentPart[] {
  return list(content).map((part): AssistantContentPart => {
    const said = text(property(part, "text"));
    return said === undefined ? { type: "opaque", value: part } : { type: "text", text: said };
  });
}

function callPart(event: JsonObject, builder: ConversationBuilder): AssistantContentPart {
  const name = nonEmpty(event.tool_name) ?? nonEmpty(property(event.tool_call, "name")) ?? "unknown";
  const id = builder.calls.ask({ name, id: nonEmpty(event.tool_call_id) });
  return { type: "toolCall", id, name, ...callArguments(property(event.tool_call, "arguments")) };
}

function resultOf(event: JsonObject, builder: ConversationBuilder) {
  const rejection = text(event.error) ?? text(event.rejection_reason);
  const { observation } = event;
  return {
    role: "toolResult" as const,
    ...builder.calls.answer({ id: nonEmpty(event.tool_call_id), name: nonEmpty(event.tool_name) }),
    content:
      rejection === undefined
        ? list(property(observation, "content")).map(userPart)
        : [{ type: "text" as const, text: rejection }],
    isError: rejection !== undefined || property(observation, "is_error") === true,
  };
}

function userPart(part: unknown): UserContentPart {
  const said = text(property(part, "text"));
  if (said !== undefined) return { type: "text", text: said };
  const [url] = texts(property(part, "image_urls"));
  return dataUrlImage(url) ?? { type: "opaque", value: part };
}

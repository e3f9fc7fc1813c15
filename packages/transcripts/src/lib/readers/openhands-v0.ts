import type { AssistantContentPart } from "@holdfast/message-schema";
import { type AssistantTurn, createAssistantTurn } from "../assistant-turn.ts";
import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { isObject, type JsonObject, label, list, moment, nonEmpty, property, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import { resultParts } from "../result-parts.ts";
import { openAiUsage } from "../token-usage.ts";
import type { DocumentReader, ReadReport } from "../transcript-reader.ts";

/** Actions and observations the model has no part in. */
const silentEvents: ReadonlySet<unknown> = new Set([
  "recall",
  "null",
  "change_agent_state",
  "agent_state_changed",
  "send_pull_request",
]);

/**
 * Events of OpenHands version 0: a list, or a run with one under `history` (also a run a line). An action with
 * `tool_call_metadata` is a call; its response holds what was said with it.
 */
export const openHandsV0: DocumentReader = {
  format: "openhands-v0",
  layout: "document",
  refuse(document) {
    const isEvent = (event: unknown) =>
      isObject(event) && (typeof event.action === "string" || typeof event.observation === "string");
    const events = eventsIn(document);
    return events.length > 0 && events.every(isEvent) ? undefined : "no list of actions and observations";
  },
  read(document, report) {
    const builder = createConversationBuilder();
    const turn = createAssistantTurn(builder);
    for (const [ordinal, event] of eventsIn(document).entries()) {
      if (isObject(event)) addEvent(event, ordinal, { builder, turn, report });
    }
    turn.end();
    return [builder.finish(nonEmpty(property(document, "instance_id")) ?? "conversation")];
  },
};

function eventsIn(document: unknown): readonly unknown[] {
  return Array.isArray(document) ? document : list(property(document, "history"));
}

interface Run {
  readonly builder: ConversationBuilder;
  readonly turn: AssistantTurn;
  readonly report: ReadReport;
}

function addEvent(event: JsonObject, ordinal: number, { builder, turn, report }: Run): void {
  const timestamp = moment(event.timestamp);
  const id = typeof event.id === "number" ? `event-${event.id}` : event.id;
  const common = { id, ...present({ timestamp }) };
  const metadata = event.tool_call_metadata;
  if (typeof event.observation === "string") {
    if (isObject(metadata)) {
      const claim = { id: nonEmpty(metadata.tool_call_id), name: nonEmpty(metadata.function_name) };
      const content = resultParts(event.content);
      const isError = event.observation === "error";
      turn.result({ ...common, role: "toolResult", ...builder.calls.answer(claim), content, isError }, ordinal);
      return;
    }
    if (silentEvents.has(event.observation)) return;
    turn.end();
    builder.add({ ...common, role: "user", origin: "injected", content: text(event.content) ?? "" }, ordinal);
    return;
  }
  if (isObject(metadata)) {
    const response = metadata.model_response;
    const key = nonEmpty(property(response, "id")) ?? `event-${ordinal}`;
    const call = callPart(metadata, response, event, builder);
    const said = turn.isUnderWay(key) ? [] : saidIn(response);
    turn.say({ key, id, ordinal, timestamp, ...responseFields(response) }, [...said, call]);
    return;
  }
  const said = text(property(event.args, "content")) ?? text(event.message) ?? "";
  if (event.action === "system" || (event.action === "message" && event.source === "user")) {
    turn.end();
    builder.add({ ...common, role: event.action === "system" ? "system" : "user", content: said }, ordinal);
  } else if (event.action === "message") {
    turn.say({ key: `event-${ordinal}`, id, ordinal, timestamp }, [{ type: "text", text: said }]);
  } else if (!silentEvents.has(event.action)) {
    report.ignore(label(event.action));
  }
}

/** What the model said with its calls. */
function saidIn(response: unknown): readonly AssistantContentPart[] {
  const [choice] = list(property(response, "choices"));
  const content = nonEmpty(property(property(choice, "message"), "content"));
  return content === undefined ? [] : [{ type: "text", text: content }];
}

function responseFields(response: unknown) {
  return present({ model: nonEmpty(property(response, "model")), usage: openAiUsage(property(response, "usage")) });
}

/** The arguments as the model wrote them; without its response, what became of them. */
function callPart(
  metadata: JsonObject,
  response: unknown,
  event: JsonObject,
  builder: ConversationBuilder,
): AssistantContentPart {
  const callId = nonEmpty(metadata.tool_call_id);
  const [choice] = list(property(response, "choices"));
  const written = list(property(property(choice, "message"), "tool_calls")).find((call) => {
    return callId !== undefined && property(call, "id") === callId;
  });
  const name = nonEmpty(metadata.function_name) ?? "unknown";
  const id = builder.calls.ask({ name, id: callId });
  return {
    type: "toolCall",
    id,
    name,
    ...callArguments(property(property(written, "function"), "arguments") ?? event.args),
  };
}

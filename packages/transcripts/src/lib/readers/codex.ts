import { createConversationBuilder } from "../conversation-builder.ts";
import { amount, isObject, type JsonObject, label, list, moment, nonEmpty, property, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import { createResponsesFolder } from "../responses-items.ts";
import { openAiUsage } from "../token-usage.ts";
import type { LineReader, LineReading, ReadReport } from "../transcript-reader.ts";

const lineTypes: ReadonlySet<unknown> = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "event_msg",
  "compacted",
]);

/** Lines about the session that are no part of what the model sees. */
const silentTypes: ReadonlySet<unknown> = new Set([
  "world_state",
  "inter_agent_communication_metadata",
  "ghost_snapshot",
]);

/**
 * Rollout files of OpenAI's Codex. The history is the `response_item` lines alone: `event_msg` lines repeat it for the
 * screen, and only what they add (token counts, a stopped turn, turns taken back) is taken from them.
 */
export const codex: LineReader = {
  format: "codex",
  layout: "lines",
  refuse(sample) {
    const known = sample.some(
      (value) => lineTypes.has(property(value, "type")) && isObject(property(value, "payload")),
    );
    return known ? undefined : "no session_meta, response_item or event_msg record with a payload";
  },
  open: openCodex,
};

function openCodex(report: ReadReport): LineReading {
  let sessionId: string | undefined;
  let origin: { model?: string; provider?: string } = {};
  const conversation = createConversationBuilder();
  const folder = createResponsesFolder(conversation, () => origin);

  function event(payload: JsonObject, line: number): void {
    if (payload.type === "token_count") {
      folder.flush();
      const usage = openAiUsage(property(payload.info, "last_token_usage"));
      if (usage) conversation.amendAssistant({ usage });
    }
    // Only a message that was under way was stopped; one whose results are there is whole.
    if (payload.type === "turn_aborted") folder.flush({ stopReason: "aborted" });
    if (payload.type === "thread_rolled_back") {
      folder.flush();
      const gone = conversation.rollBack(amount(payload.num_turns) ?? 0);
      report.note({ line, problem: `${gone} messages of turns the user went back on`, action: "left out" });
    }
  }

  return {
    record({ value, line, ordinal }) {
      const payload = property(value, "payload");
      const type = property(value, "type");
      if (!isObject(payload)) {
        report.note({ line, problem: "a record without a payload", action: "set aside" });
        return;
      }
      switch (type) {
        case "session_meta":
          sessionId ??= nonEmpty(payload.id);
          origin = { ...origin, ...present({ provider: nonEmpty(payload.model_provider) }) };
          return;
        case "turn_context":
          folder.flush();
          origin = { ...origin, ...present({ model: nonEmpty(payload.model) }) };
          return;
        case "response_item": {
          const place = { ordinal, timestamp: moment(property(value, "timestamp")), isInjected };
          if (!folder.item(payload, place) && !silentTypes.has(payload.type)) report.ignore(label(payload.type), line);
          return;
        }
        case "event_msg":
          return event(payload, line);
        case "compacted":
          folder.flush();
          conversation.compaction({
            at: conversation.length,
            summary: nonEmpty(payload.message) ?? null,
            opaque: payload,
            replaces: "all",
          });
          return;
        default:
          if (!silentTypes.has(type)) report.ignore(label(type), line);
      }
    },
    finish() {
      folder.flush();
      return [conversation.finish(sessionId ?? "session")];
    },
  };
}

/** Texts that Codex writes into the user's role, and every developer message. */
const injectedText =
  /^\s*(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|permissions instructions|turn_aborted|skill|user_shell_command|subagent_notification)\b)/;

function isInjected(item: JsonObject): boolean {
  if (item.role === "developer" || item.role === "system") return true;
  const texts = list(item.content).map((part) => text(property(part, "text")));
  return texts.length > 0 && texts.every((line) => line !== undefined && injectedText.test(line));
}

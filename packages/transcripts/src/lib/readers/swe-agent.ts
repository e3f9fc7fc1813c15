import { createConversationBuilder } from "../conversation-builder.ts";
import { isObject, type JsonObject, list, nonEmpty, property, texts } from "../json-value.ts";
import { addOpenAiChatMessage } from "../openai-chat-messages.ts";
import type { DocumentReader } from "../transcript-reader.ts";

/**
 * Trajectories of SWE-agent: `history` is the conversation; `trajectory` repeats it at every step. Where actions are
 * text, the observation that answers one is a user message that no user wrote.
 */
export const sweAgent: DocumentReader = {
  format: "swe-agent",
  layout: "document",
  refuse: (document) =>
    Array.isArray(property(document, "history")) && Array.isArray(property(document, "trajectory"))
      ? undefined
      : "no history beside a trajectory",
  read(document, report) {
    const builder = createConversationBuilder();
    let hasActed = false;
    for (const [ordinal, message] of list(property(document, "history")).entries()) {
      if (!isObject(message)) continue;
      addOpenAiChatMessage(builder, asChatMessage(message, hasActed), ordinal, report);
      if (message.role === "assistant" && message.is_demo !== true) hasActed = true;
    }
    return [builder.finish(nonEmpty(property(document, "environment")) ?? "trajectory")];
  },
};

/** A result names its call in a list of one; demonstrations and observations in the user's role are injected. */
function asChatMessage(message: JsonObject, hasActed: boolean): JsonObject {
  const { tool_call_ids: callIds, ...rest } = message;
  const [callId] = texts(callIds);
  const isInjected = message.role === "user" && (hasActed || message.is_demo === true);
  return { ...rest, ...(callId ? { tool_call_id: callId } : {}), ...(isInjected ? { origin: "injected" } : {}) };
}

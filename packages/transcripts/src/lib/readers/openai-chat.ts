import { createConversationBuilder } from "../conversation-builder.ts";
import { nonEmpty, property, quote } from "../json-value.ts";
import { haveRoles, messagesIn, partTypes } from "../messages-in.ts";
import { addOpenAiChatMessage } from "../openai-chat-messages.ts";
import type { DocumentReader } from "../transcript-reader.ts";

const roles: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/** Content parts of Chat Completions, and what its relatives add. `undefined` is a part without a type. */
const knownParts: ReadonlySet<unknown> = new Set(["text", "image_url", "input_audio", "file", "refusal", "audio"]);

/**
 * Lists of Chat Completions messages, or request bodies and logs that hold one under `messages`. It comes last among the
 * lists of messages: plain text alone looks the same in all of them.
 */
export const openAiChat: DocumentReader = {
  format: "openai-chat",
  layout: "document",
  refuse(document) {
    const messages = messagesIn(document);
    if (!messages) return "no list of messages";
    if (!haveRoles(messages, roles)) return "most messages have none of the roles system, user, assistant and tool";
    const foreign = [...partTypes(messages)].find((type) => !knownParts.has(type));
    return foreign === undefined ? undefined : `content parts of the type ${quote(foreign)}`;
  },
  read(document, report) {
    const builder = createConversationBuilder();
    for (const [ordinal, message] of (messagesIn(document) ?? []).entries()) {
      addOpenAiChatMessage(builder, message, ordinal, report);
    }
    return [builder.finish(nonEmpty(property(document, "id")) ?? "conversation")];
  },
};

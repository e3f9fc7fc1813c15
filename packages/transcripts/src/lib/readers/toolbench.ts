import { createConversationBuilder } from "../conversation-builder.ts";
import { list, property } from "../json-value.ts";
import { addOpenAiChatMessage } from "../openai-chat-messages.ts";
import type { DocumentReader } from "../transcript-reader.ts";

/**
 * Answers of ToolBench: `train_messages` are paths from the root of a search tree, each a conversation, the longest
 * first. Calls have no ids: a result answers the oldest open call of its name.
 */
export const toolBench: DocumentReader = {
  format: "toolbench",
  layout: "document",
  refuse: (document) =>
    Array.isArray(property(property(document, "answer_generation"), "train_messages"))
      ? undefined
      : "no answer_generation with train_messages",
  read: (document, report) =>
    list(property(property(document, "answer_generation"), "train_messages"))
      .map((path, index) => ({ messages: list(path), id: `path-${index}` }))
      .toSorted((a, b) => b.messages.length - a.messages.length)
      .map(({ messages, id }) => {
        const builder = createConversationBuilder();
        for (const [ordinal, message] of messages.entries()) {
          addOpenAiChatMessage(builder, message, ordinal, report);
        }
        return builder.finish(id);
      }),
};

import { isDeepStrictEqual } from "node:util";
import { type Message, messageSchema } from "@holdfast/message-schema";
import { createConversationBuilder, positionId } from "../conversation-builder.ts";
import { isObject, list, nonEmpty, property, text } from "../json-value.ts";
import { messagesIn } from "../messages-in.ts";
import type { DocumentReader } from "../transcript-reader.ts";

/**
 * Messages of `@holdfast/message-schema`, as a host of the runtime adapter has them: a list, a message a line, or an
 * object with a list under `messages`. They come back as they are. Plain text alone is left to the lists of messages
 * that look the same, which read it to the same effect.
 */
export const holdfast: DocumentReader = {
  format: "holdfast",
  layout: "document",
  refuse(document) {
    const messages = messagesIn(document);
    if (!messages) return "no list of messages";
    if (!messages.some(isOwn)) return "no toolResult message, no assistant message with a stopReason";
    // Without ids of their own they are the messages of another tool with these roles, such as pi's.
    const valid = messages.filter((message) => messageSchema.safeParse(message).success);
    return valid.length * 2 > messages.length ? undefined : "most messages are not of the message schema";
  },
  read(document, report) {
    const builder = createConversationBuilder();
    let previous: Message | undefined;
    for (const [ordinal, value] of (messagesIn(document) ?? []).entries()) {
      const parsed = messageSchema.safeParse(withId(value, ordinal));
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const place = issue?.path.join(".") ?? "";
        report.note({
          problem: `message ${ordinal} is not of the message schema${place === "" ? "" : ` at ${place.slice(0, 80)}`}`,
          action: "set aside",
        });
      } else if (parsed.data.id === previous?.id && isDeepStrictEqual(parsed.data, previous)) {
        report.note({ problem: `message ${ordinal} is the same as the one before`, action: "joined with it" });
      } else {
        previous = parsed.data;
        builder.add(previous, ordinal);
      }
    }
    return [builder.finish(nonEmpty(property(document, "id")) ?? "conversation")];
  },
};

/** What no other form has: a result in a role of this name, an answer that says here how it ended, our kinds of parts. */
function isOwn(message: unknown): boolean {
  switch (property(message, "role")) {
    case "toolResult":
      return true;
    case "assistant":
      return text(property(message, "stopReason")) !== undefined;
    default:
      return list(property(message, "content")).some(isOwnPart);
  }
}

function isOwnPart(part: unknown): boolean {
  const type = property(part, "type");
  return type === "opaque" || (type === "image" && property(part, "data") !== undefined);
}

function withId(message: unknown, ordinal: number): unknown {
  return isObject(message) && nonEmpty(message.id) === undefined ? { ...message, id: positionId(ordinal) } : message;
}

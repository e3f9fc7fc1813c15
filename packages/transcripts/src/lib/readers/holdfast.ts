import { isDeepStrictEqual } from "node:util";
import { type Message, messageSchema } from "@holdfast/message-schema";
import { createConversationBuilder, positionId } from "../conversation-builder.ts";
import { isObject, list, nonEmpty, property, text, withFields } from "../json-value.ts";
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
      const found = withId(value, ordinal);
      const parsed = messageSchema.safeParse(found);
      if (!parsed.success) {
        const place = parsed.error.issues[0]?.path.join(".").slice(0, 80) ?? "";
        const where = place === "" ? "" : ` at ${place}`;
        report.note({ problem: `message ${ordinal} is not of the message schema${where}`, action: "set aside" });
        continue;
      }
      const message = asWritten(found, parsed.data);
      if (message.id === previous?.id && isDeepStrictEqual(message, previous)) {
        report.note({ problem: `message ${ordinal} is the same as the one before`, action: "joined with it" });
        continue;
      }
      previous = message;
      builder.add(message, ordinal);
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

/** What was found, with unknown parts as the schema wraps them: its copy of the rest would lose a `__proto__` key. */
function asWritten(found: unknown, { content }: Message): Message {
  if (!isObject(found) || typeof content === "string") return found as Message;
  const parts = list(found.content).map((part, index) => (content[index]?.type === "opaque" ? content[index] : part));
  return withFields(found, { content: parts }) as unknown as Message;
}

function withId(message: unknown, ordinal: number): unknown {
  return isObject(message) && nonEmpty(message.id) === undefined
    ? withFields(message, { id: positionId(ordinal) })
    : message;
}

import type { Message } from "@holdfast/message-schema";
import type { MessageShape } from "@holdfast/tail-window";
import { isRequest } from "./is-request.ts";

/**
 * How the selector reads a window range. It starts in mid-conversation, so a system message at its head is an ordinary
 * message, paid for like the others, and not the instructions every request begins with.
 */
export function windowShape(shape: MessageShape<Message>): MessageShape<Message> {
  return {
    ...shape,
    role(message) {
      const role = shape.role(message);
      return role === "system" ? "user" : role;
    },
    isRequest(message) {
      return shape.role(message) !== "system" && isRequest(message, shape);
    },
  };
}

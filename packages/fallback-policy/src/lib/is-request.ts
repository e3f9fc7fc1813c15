import type { Message } from "@holdfast/message-schema";
import type { MessageShape } from "@holdfast/tail-window";

/** A request of the user, as the shape tells it; by default a user message that answers no call. */
export function isRequest(message: Message, shape: MessageShape<Message>): boolean {
  return shape.isRequest?.(message) ?? (shape.role(message) === "user" && shape.toolResultIds(message).length === 0);
}

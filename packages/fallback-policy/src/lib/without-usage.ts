import type { Message } from "@holdfast/message-schema";

/** The message without its token usage, which measured a context that is gone; the same object when it has none. */
export function withoutUsage(message: Message): Message {
  if (!("usage" in message)) return message;
  const { usage: _usage, ...rest } = message;
  return rest;
}

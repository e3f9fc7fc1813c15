import type { Message } from "@holdfast/message-schema";

/** The readable text of a message: its text parts, a line break between them. */
export function messageText(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

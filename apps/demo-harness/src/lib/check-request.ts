import { type Message, shape } from "@holdfast/message-schema";
import { findPairingProblems } from "@holdfast/tail-window";

/** What a strict provider would refuse about a request; empty for a valid one. */
export function checkRequest(messages: readonly Message[]): string[] {
  const conversation = messages.slice(messages.findIndex((message) => message.role !== "system"));
  const problems = findPairingProblems(conversation, shape).map(
    ({ kind, index }) => `message ${index}: ${kind.replace("_", " ")}`,
  );
  conversation.forEach((message, index) => {
    if (isBlank(message)) problems.push(`message ${index}: nothing to send`);
    if (hasBlankText(message)) problems.push(`message ${index}: blank text`);
  });
  return problems;
}

function isBlank(message: Message): boolean {
  if (typeof message.content === "string") return message.content.trim() === "";
  return message.content.every((part) => part.type === "thinking" || (part.type === "text" && part.text.trim() === ""));
}

function hasBlankText(message: Message): boolean {
  if (typeof message.content === "string") return false;
  return message.content.some((part) => part.type === "text" && part.text.trim() === "");
}

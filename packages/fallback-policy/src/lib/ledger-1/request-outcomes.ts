import type { Message } from "@holdfast/message-schema";
import type { MessageShape } from "@holdfast/tail-window";
import { isRequest } from "../is-request.ts";
import { excerpt } from "./excerpt.ts";
import type { LedgerRequest, Listed } from "./ledger.ts";
import { MAX_ENTRIES, maxCharacters } from "./ledger-bounds.ts";
import { messageText } from "./message-text.ts";

/** The requests in their order, each with what the messages up to the next one made of it. */
export function addRequests(
  list: Listed<LedgerRequest>,
  messages: readonly Message[],
  shape: MessageShape<Message>,
): Listed<LedgerRequest> {
  const requests = [...list.entries];
  for (const message of messages) {
    if (shape.isEmpty?.(message) === true && message.role === "user") continue;
    if (isRequest(message, shape)) {
      requests.push({ text: excerpt(messageText(message), maxCharacters.request), outcome: "open", answer: "" });
    } else if (message.role === "assistant") {
      // An assistant message before the first request belongs to a turn that something else covers.
      const request = requests.pop();
      if (request !== undefined) requests.push({ text: request.text, ...outcomeOf(message) });
    }
  }
  const entries = requests.slice(-MAX_ENTRIES);
  return { entries, dropped: list.dropped + requests.length - entries.length };
}

function outcomeOf(message: Message & { role: "assistant" }): Pick<LedgerRequest, "outcome" | "answer"> {
  switch (message.stopReason) {
    case "aborted":
      return { outcome: "stopped", answer: "" };
    case "error":
    case "refusal":
      return { outcome: "failed", answer: "" };
    case "stop":
    case "toolUse":
    case "length":
    case "deferred": {
      const text = messageText(message).trim();
      const isAnswer =
        message.stopReason === "stop" && text !== "" && !message.content.some((part) => part.type === "toolCall");
      return isAnswer
        ? { outcome: "answered", answer: excerpt(text, maxCharacters.answer) }
        : { outcome: "open", answer: "" };
    }
    default:
      return message.stopReason satisfies never;
  }
}

import { property, text } from "../json-value.ts";
import { haveRoles, messagesIn } from "../messages-in.ts";
import type { DocumentReader } from "../transcript-reader.ts";
import { readAnthropic } from "./anthropic-messages.ts";

const roles: ReadonlySet<unknown> = new Set(["user", "assistant"]);

/** Session files of Cline: Anthropic messages beside a `system_prompt`, which is no message of the conversation. */
export const cline: DocumentReader = {
  format: "cline",
  layout: "document",
  refuse(document) {
    const isSession =
      text(property(document, "sessionId")) !== undefined && text(property(document, "system_prompt")) !== undefined;
    return isSession && haveRoles(messagesIn(document) ?? [], roles)
      ? undefined
      : "no sessionId and system_prompt beside user and assistant messages";
  },
  read: (document, report) => [readAnthropic(document, report)],
};

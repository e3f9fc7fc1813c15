import type { Message } from "./message.ts";
import { shorten } from "./shape-shorten.ts";

const noOutput = { type: "text", text: "(no output)" } as const;

const isBlank = (part: { readonly type: string; readonly text?: string }): boolean =>
  part.type === "text" && part.text?.trim() === "";

/**
 * How the selector of `@holdfast/tail-window` reads this schema. Structural: nothing of that package is imported.
 * Every function gives the same object back when there is nothing to change.
 */
export const shape = {
  role: (message: Message): "system" | "user" | "assistant" | "tool" =>
    message.role === "toolResult" ? "tool" : message.role,

  toolCallIds: (message: Message): readonly string[] =>
    message.role === "assistant" ? message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])) : [],

  toolResultIds: (message: Message): readonly string[] => (message.role === "toolResult" ? [message.toolCallId] : []),

  /** Ended in an error, aborted or deferred: never sent again. */
  isDiscarded: (message: Message): boolean =>
    message.role === "assistant" && ["error", "aborted", "deferred"].includes(message.stopReason),

  /** Blank, or only reasoning. A tool result never is: it says at least that the call came back. */
  isEmpty: (message: Message): boolean => {
    if (message.role === "toolResult") return false;
    if (typeof message.content === "string") return message.content.trim() === "";
    return message.content.every((part) => part.type === "thinking" || isBlank(part));
  },

  /** A request of the user, not a reminder or other text that a tool put into the user's role. */
  isRequest: (message: Message): boolean => message.role === "user" && message.origin !== "injected",

  shorten,

  /** Each id names one call to take out, as often as it stands in `ids`; of calls with equal ids the last ones go. */
  withoutToolCalls: (message: Message, ids: readonly string[]): Message => {
    if (message.role !== "assistant") return message;
    const left = [...ids];
    const content = message.content.toReversed().filter((part) => {
      const at = part.type === "toolCall" ? left.indexOf(part.id) : -1;
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    return content.length === message.content.length ? message : { ...message, content: content.reverse() };
  },

  /** All reasoning left out. */
  withoutReasoning: (message: Message): Message => {
    if (message.role !== "assistant") return message;
    const content = message.content.filter((part) => part.type !== "thinking");
    return content.length === message.content.length ? message : { ...message, content };
  },

  /** Without blank text parts, which providers refuse; a blank tool result says that there was no output. */
  withoutBlankText: (message: Message): Message => {
    if (typeof message.content === "string") return message;
    if (message.role === "toolResult") {
      const content = message.content.filter((part) => !isBlank(part));
      if (content.length === 0) return { ...message, content: [noOutput] };
      return content.length === message.content.length ? message : { ...message, content };
    }
    if (!message.content.some(isBlank)) return message;
    return message.role === "assistant"
      ? { ...message, content: message.content.filter((part) => !isBlank(part)) }
      : { ...message, content: message.content.filter((part) => !isBlank(part)) };
  },
};

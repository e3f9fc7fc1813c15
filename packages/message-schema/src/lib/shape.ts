import type { Message } from "./message.ts";

/** How the selector of `@holdfast/tail-window` reads this schema. Structural: nothing of that package is imported. */
export const shape = {
  role: (message: Message): "system" | "user" | "assistant" | "tool" =>
    message.role === "toolResult" ? "tool" : message.role,
  toolCallIds: (message: Message): readonly string[] =>
    message.role === "assistant" ? message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])) : [],
  toolResultIds: (message: Message): readonly string[] => (message.role === "toolResult" ? [message.toolCallId] : []),
};

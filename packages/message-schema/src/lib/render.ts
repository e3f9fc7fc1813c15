import type { Message } from "./message.ts";

export interface RenderOptions {
  /** Longest tool result in UTF-16 code units; of a longer one the head and the tail stay. */
  readonly resultMaxCharacters: number;
  readonly includeThinking: boolean;
}

/** One message as text for a model to read about, never to continue. */
export function renderMessage(message: Message, options: RenderOptions): string {
  const lines = [`[${message.role === "toolResult" ? `tool result: ${message.toolName}` : message.role}]`];
  const parts =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  for (const part of parts) {
    switch (part.type) {
      case "text":
        lines.push(part.text);
        break;
      case "thinking":
        if (options.includeThinking) lines.push(`[reasoning] ${part.thinking}`);
        break;
      case "toolCall":
        lines.push(`[tool call: ${part.name}] ${JSON.stringify(part.arguments)}`);
        break;
      case "image":
        lines.push(`[image: ${part.mimeType}]`);
        break;
      case "opaque":
        break;
      default:
        part satisfies never;
    }
  }
  return lines.join("\n");
}

/** The messages as one text, a blank line between them. */
export function renderTranscript(messages: readonly Message[], options: RenderOptions): string {
  return messages.map((message) => renderMessage(message, options)).join("\n\n");
}

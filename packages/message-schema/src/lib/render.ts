import type { Message, ToolResultMessage } from "./message.ts";
import type { ImagePart, OpaquePart, TextPart } from "./parts.ts";
import { dataLine, escapeHeaders, label, plainText, resultText } from "./render-text.ts";

export interface RenderOptions {
  /** Longest tool result in UTF-16 code units; of a longer one the head and the tail stay, with a marker between. */
  readonly resultMaxCharacters: number;
  readonly includeThinking: boolean;
}

/**
 * One message as text for a model to read about, never to continue: a header line in brackets, then the content.
 * Reasoning and tool calls stand under lines of their own, pictures and unknown parts are placeholders, and no line of
 * the content can pose as a header. Well formed whatever the message holds. Empty for a message with nothing to read;
 * a blank tool result is something to read.
 */
export function renderMessage(message: Message, options: RenderOptions): string {
  const body = message.role === "toolResult" ? resultBody(message, options) : contentText(message.content, options);
  return body === "" ? "" : `${header(message)}\n${body}`;
}

/** The messages as one text, a blank line between them; those with nothing to read leave no trace. */
export function renderTranscript(messages: readonly Message[], options: RenderOptions): string {
  return messages
    .map((message) => renderMessage(message, options))
    .filter((text) => text !== "")
    .join("\n\n");
}

function header(message: Message): string {
  switch (message.role) {
    case "system":
      return "[system]";
    case "user":
      return message.origin === "injected" ? "[user, injected by a tool]" : "[user]";
    case "assistant":
      return endedEarly.has(message.stopReason) ? `[assistant, ${message.stopReason}]` : "[assistant]";
    case "toolResult":
      return `[tool result: ${label(message.toolName)}${message.isError ? ", error" : ""}]`;
    default:
      return message satisfies never;
  }
}

const endedEarly: ReadonlySet<string> = new Set(["length", "error", "aborted", "deferred", "refusal"]);

function resultBody(message: ToolResultMessage, options: RenderOptions): string {
  const text = joinLines(message.content.map(mediaText));
  return text === "" ? "(no output)" : resultText(text, options.resultMaxCharacters);
}

function contentText(content: Exclude<Message, ToolResultMessage>["content"], options: RenderOptions): string {
  if (typeof content === "string") return escapeHeaders(plainText(content));
  return joinLines(
    content.map((part) => {
      switch (part.type) {
        case "thinking": {
          const reasoning = options.includeThinking ? plainText(part.thinking) : "";
          return reasoning === "" ? "" : `[reasoning]\n${escapeHeaders(reasoning)}`;
        }
        case "toolCall":
          return `[tool call: ${label(part.name)}] ${dataLine(part.arguments)}`;
        default:
          return escapeHeaders(mediaText(part));
      }
    }),
  );
}

function mediaText(part: TextPart | ImagePart | OpaquePart): string {
  switch (part.type) {
    case "text":
      return plainText(part.text);
    case "image":
      return `[image: ${label(part.mimeType)}]`;
    case "opaque":
      return `[part: ${label(opaqueType(part))}]`;
    default:
      return part satisfies never;
  }
}

function joinLines(lines: readonly string[]): string {
  return lines.reduce((text, line) => (text === "" || line === "" ? text + line : `${text}\n${line}`), "");
}

/** An unknown part's own name for itself. Its value is not rendered: it may be a picture or a whole file. */
function opaqueType({ value }: OpaquePart): string {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return typeof type === "string" ? type : "unknown";
}

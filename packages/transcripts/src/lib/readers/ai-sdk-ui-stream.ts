import { createConversationBuilder } from "../conversation-builder.ts";
import { label, list, property, text } from "../json-value.ts";
import type { DocumentReader } from "../transcript-reader.ts";
import { addUiMessage } from "./ai-sdk-ui.ts";

/** What a streamed UI message is made of, besides pieces of data. */
const chunkType =
  /^(?:start|finish|abort|error|(?:start|finish)-step|message-metadata|(?:text|reasoning|tool|source|data|file)(?:-.*)?)$/;

/** The chunks of one streamed UI message, folded into that message. Calls come in pieces of JSON text. */
export const aiSdkUiStream: DocumentReader = {
  format: "ai-sdk-ui-stream",
  layout: "document",
  refuse(document) {
    const chunks = list(document);
    const areChunks = chunks.every((chunk) => chunkType.test(text(property(chunk, "type")) ?? ""));
    const isStream = chunks.some((chunk) => /-delta$|^start(?:-step)?$/.test(label(property(chunk, "type"))));
    return chunks.length > 0 && areChunks && isStream ? undefined : "no list of start, delta and finish chunks";
  },
  read(document) {
    const builder = createConversationBuilder();
    const [start] = list(document);
    addUiMessage(builder, { id: property(start, "messageId"), role: "assistant", parts: fold(list(document)) }, 0);
    return [builder.finish("stream")];
  },
};

/** A part under way: a tool's input is text until it is whole. */
interface StreamedPart {
  type: string;
  text?: string;
  toolCallId?: unknown;
  toolName?: unknown;
  input?: unknown;
  inputText?: string;
  state?: string;
  output?: unknown;
  errorText?: unknown;
}

function fold(chunks: readonly unknown[]): readonly StreamedPart[] {
  const parts: StreamedPart[] = [];
  const open = new Map<string, StreamedPart>();

  function begin(key: string, part: StreamedPart): StreamedPart {
    parts.push(part);
    open.set(key, part);
    return part;
  }

  for (const chunk of chunks) {
    const type = text(property(chunk, "type")) ?? "";
    const delta = text(property(chunk, "delta")) ?? "";
    const [kind = ""] = type.split("-");
    const key = `${kind}:${label(property(chunk, "id") ?? property(chunk, "toolCallId"))}`;
    const tool = () =>
      open.get(key) ??
      begin(key, {
        type: "dynamic-tool",
        toolCallId: property(chunk, "toolCallId"),
        toolName: property(chunk, "toolName"),
      });
    switch (type) {
      case "start-step":
        parts.push({ type: "step-start" });
        break;
      case "text-start":
      case "reasoning-start":
        begin(key, { type: kind, text: "" });
        break;
      case "text-delta":
      case "reasoning-delta": {
        const part = open.get(key) ?? begin(key, { type: kind, text: "" });
        part.text = `${part.text ?? ""}${delta}`;
        break;
      }
      case "tool-input-start":
        tool();
        break;
      case "tool-input-delta": {
        const part = tool();
        part.inputText = `${part.inputText ?? ""}${text(property(chunk, "inputTextDelta")) ?? delta}`;
        part.input = part.inputText;
        break;
      }
      case "tool-input-available":
        tool().input = property(chunk, "input");
        break;
      case "tool-output-available":
        Object.assign(tool(), { state: "output-available", output: property(chunk, "output") });
        break;
      case "tool-output-error":
        Object.assign(tool(), { state: "output-error", errorText: property(chunk, "errorText") });
        break;
    }
  }
  return parts;
}

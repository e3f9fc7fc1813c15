export type {
  AssistantContentPart,
  AssistantMessage,
  Message,
  StopReason,
  SystemMessage,
  ToolResultContentPart,
  ToolResultMessage,
  Usage,
  UserContentPart,
  UserMessage,
} from "./lib/message.ts";
export type { ImagePart, OpaquePart, TextPart, ThinkingPart, ToolCallPart } from "./lib/parts.ts";
export { type RenderOptions, renderMessage, renderTranscript } from "./lib/render.ts";
export { messageSchema, transcriptSchema } from "./lib/schema.ts";
export { shape } from "./lib/shape.ts";

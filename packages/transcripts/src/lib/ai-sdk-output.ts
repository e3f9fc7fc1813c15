import type { ToolResultContentPart } from "@holdfast/message-schema";
import { isObject, list, property, text } from "./json-value.ts";
import { resultParts } from "./result-parts.ts";

export interface ToolOutput {
  readonly content: readonly ToolResultContentPart[];
  readonly isError: boolean;
}

/** What a tool gave back, in the AI SDK's tagged form, or as a plain value. */
export function toolOutput(output: unknown): ToolOutput {
  const value = property(output, "value");
  switch (property(output, "type")) {
    case "text":
    case "json":
      return { content: resultParts(value), isError: false };
    case "error-text":
    case "error-json":
      return { content: resultParts(value), isError: true };
    case "execution-denied":
      return { content: resultParts(property(output, "reason") ?? "execution denied"), isError: true };
    case "content":
      return { content: list(value).map(contentPart), isError: property(output, "isError") === true };
    default:
      return { content: resultParts(output), isError: false };
  }
}

function contentPart(part: unknown): ToolResultContentPart {
  if (isObject(part)) {
    const said = part.type === "text" ? text(part.text) : undefined;
    if (said !== undefined) return { type: "text", text: said };
    const data = text(part.data);
    const mimeType = text(part.mediaType);
    if (data !== undefined && mimeType?.startsWith("image/")) return { type: "image", data, mimeType };
  }
  return { type: "opaque", value: part };
}

import type { UserContentPart } from "@holdfast/message-schema";
import { isObject, property, text } from "./json-value.ts";

/** Parts of Google's `Content` that a user says: text and pictures; any other part stays opaque. */
export function geminiUserParts(parts: readonly unknown[]): UserContentPart[] {
  return parts.map((part): UserContentPart => {
    if (typeof part === "string") return { type: "text", text: part };
    if (isObject(part) && typeof part.text === "string") return { type: "text", text: part.text };
    const inline = property(part, "inlineData") ?? property(part, "inline_data");
    const data = text(property(inline, "data"));
    const mimeType = text(property(inline, "mimeType")) ?? text(property(inline, "mime_type"));
    if (data !== undefined && mimeType?.startsWith("image/")) return { type: "image", data, mimeType };
    return { type: "opaque", value: part };
  });
}

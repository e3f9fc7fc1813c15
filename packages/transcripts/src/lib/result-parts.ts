import type { ToolResultContentPart } from "@holdfast/message-schema";

/** What a tool gave back, as a result holds it: text as it is, nothing for nothing, any other value as JSON. */
export function resultParts(value: unknown): readonly ToolResultContentPart[] {
  if (value === undefined || value === null) return [];
  return [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }];
}

import type { ToolCallPart } from "@holdfast/message-schema";

/** The first of these arguments that a call gives, as it gives it; models write `null` for one they leave out. */
export function firstGiven({ arguments: given }: ToolCallPart, names: readonly string[]): unknown {
  return names.map((name) => given[name]).find((value) => value !== undefined && value !== null);
}

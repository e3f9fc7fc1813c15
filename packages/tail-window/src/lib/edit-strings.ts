import { withFields } from "./same.ts";

/** The JSON value with every string in it edited; keys stay. */
export function editStrings<T>(value: T, edit: (text: string) => string): T;
export function editStrings(value: unknown, edit: (text: string) => string): unknown {
  if (typeof value === "string") return edit(value);
  if (Array.isArray(value)) return value.map((item: unknown) => editStrings(item, edit));
  if (typeof value !== "object" || !value) return value;
  const edited = Object.entries(value).map(([key, item]) => [key, editStrings(item as unknown, edit)]);
  return withFields(value, Object.fromEntries(edited));
}

/**
 * JSON text with every string value in it edited, and all the rest byte for byte: numbers too long for JavaScript stay
 * what they are. Text that is no JSON, as models write it now and then, is edited as a text.
 */
export function editJson(json: string, edit: (text: string) => string): string {
  try {
    JSON.parse(json);
  } catch {
    return edit(json);
  }
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g, (literal: string, colon?: string) => {
    if (colon) return literal;
    const text: string = JSON.parse(literal);
    const edited = edit(text);
    return edited === text ? literal : JSON.stringify(edited);
  });
}

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

/** JSON text with every string value in it edited; text that is no JSON is left as it is. */
export function editJson(json: string, edit: (text: string) => string): string {
  try {
    const before: { value: unknown } = { value: JSON.parse(json) };
    const after = editStrings(before, edit);
    return after === before ? json : JSON.stringify(after.value);
  } catch {
    // Models write broken JSON now and then; a cut would only break it further.
    return json;
  }
}

import { mapSame } from "./same.ts";

/** The JSON value with every string in it edited; keys stay. The value itself when no string changed. */
export function editStrings<T>(value: T, edit: (text: string) => string): T;
export function editStrings(value: unknown, edit: (text: string) => string): unknown {
  if (typeof value === "string") return edit(value);
  if (Array.isArray(value)) return mapSame(value, (item: unknown) => editStrings(item, edit));
  if (typeof value !== "object" || value === null) return value;
  const before: [string, unknown][] = Object.entries(value);
  const after = before.map(([key, item]) => [key, editStrings(item, edit)] as const);
  return after.every(([, item], at) => item === before[at]?.[1]) ? value : Object.fromEntries(after);
}

/** JSON text with every string value in it edited; text that is no JSON is left as it is. */
export function editJson(json: string, edit: (text: string) => string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Models write broken JSON now and then; a cut would only break it further.
    return json;
  }
  const edited = editStrings(value, edit);
  return edited === value ? json : JSON.stringify(edited);
}

/** What a tool result says that has nothing to say: providers refuse blank text, and the call must have its result. */
export const noOutput = "(no output)";

export const isBlank = (text: unknown): boolean => typeof text !== "string" || text.trim() === "";

/** The object with these fields, `undefined` for one that goes; the object itself when it has them already. */
export function withFields<T extends object>(object: T, fields: object): T {
  const isSame = Object.entries(fields).every(([name, value]) => value === Reflect.get(object, name));
  return isSame ? object : { ...object, ...fields };
}

/** The object with what `edit` makes of a field that it has. */
export function editField<T extends object, K extends keyof T>(
  object: T,
  name: K,
  edit: (value: NonNullable<T[K]>) => unknown,
): T {
  const before = object[name];
  const isThere = before !== undefined && before !== null;
  return isThere ? withFields(object, { [name]: edit(before) }) : object;
}

/** The part with what `edit` makes of its text; `undefined` when the text is to go. */
export function editPart<T extends object>(part: T, name: keyof T, edit: (text: string) => string | undefined) {
  const text = edit(String(part[name] ?? ""));
  return text === undefined ? undefined : editField(part, name, () => text);
}

/** The list with what `edit` makes of its items, without those it makes `undefined` of; the list itself if nothing changed. */
export function editList<P extends object>(items: readonly P[], edit: (item: P) => unknown): readonly unknown[] {
  // What is no object is a part of no known form.
  const edited = items.flatMap((item) => (Object(item) === item ? (edit(item) ?? []) : []));
  return edited.length === items.length && edited.every((item, at) => item === items[at]) ? items : edited;
}

/** Content that is a text or a list of parts. `silence` takes the place of content of which nothing is left. */
export function editContent<P extends object>(
  content: unknown,
  edit: (text: string) => string | undefined,
  editItem: (part: P) => unknown,
  silence?: unknown,
): unknown {
  if (typeof content === "string") return edit(content) ?? silence;
  if (!Array.isArray(content)) return content;
  const parts = editList<P>(content, editItem);
  return parts.length > 0 || silence === undefined ? parts : silence;
}

/** The JSON value with every string in it edited, and every list of nothing but numbers as the text it is; keys stay. */
export function editStrings<T>(value: T, edit: (text: string) => string): T;
export function editStrings(value: unknown, edit: (text: string) => string): unknown {
  if (typeof value === "string") return edit(value);
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === "number")) {
      const json = JSON.stringify(value);
      const text = edit(json);
      return text === json ? value : text;
    }
    const items = value.map((item: unknown) => editStrings(item, edit));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (typeof value !== "object" || !value) return value;
  const fields = Object.entries(value).map(([key, item]) => [key, editStrings(item as unknown, edit)] as const);
  const isSame = fields.every(([key, item]) => item === Reflect.get(value, key));
  return isSame ? value : Object.fromEntries(fields);
}

/**
 * JSON text with every string value in it edited, and every list of nothing but numbers as the text it is; all the rest
 * byte for byte: numbers too long for JavaScript stay what they are. Text that is no JSON, as models write it now and
 * then, is edited as a text.
 */
export function editJson(json: string, edit: (text: string) => string): string {
  try {
    JSON.parse(json);
  } catch {
    return edit(json);
  }
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|\[[-+.,\deE\s]+\]/g, (literal: string, colon?: string) => {
    if (colon) return literal;
    const text: string = literal.startsWith("[") ? literal : JSON.parse(literal);
    const edited = edit(text);
    return edited === text ? literal : JSON.stringify(edited);
  });
}

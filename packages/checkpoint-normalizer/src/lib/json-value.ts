export type JsonObject = { readonly [field: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What a JSON file would give back for `value`: a copy that nobody else holds, without what JSON cannot carry.
 * `undefined` when there is no such thing (a cycle, a getter that throws, a bigint, a nesting beyond the stack).
 */
export function throughJson(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // Whatever a hostile value throws while it is read, there is one answer: it is no JSON.
    return undefined;
  }
}

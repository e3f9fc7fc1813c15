/** What one line of a store's file says. */
export type JsonlLine =
  | { readonly kind: "blank" }
  | { readonly kind: "damaged" }
  | {
      readonly kind: "record";
      readonly conversationId: string;
      /** Tells the lines of two writers with the same record apart. */
      readonly writeId: string;
      readonly generation: number;
      readonly checkpoint: unknown;
    };

export function formatLine(conversationId: string, writeId: string, record: string): string {
  const head = JSON.stringify({ conversationId, writeId }).slice(0, -1);
  return `${head},"checkpoint":${record}}`;
}

export function readLine(text: string): JsonlLine {
  if (text.trim() === "") return { kind: "blank" };
  const value = parseJson(text);
  if (!isObject(value) || !isObject(value.checkpoint) || !isObject(value.checkpoint.details))
    return { kind: "damaged" };
  const { conversationId, writeId, checkpoint } = value;
  const { generation } = value.checkpoint.details;
  if (typeof conversationId !== "string" || typeof writeId !== "string") return { kind: "damaged" };
  if (typeof generation !== "number" || !Number.isSafeInteger(generation) || generation < 1) return { kind: "damaged" };
  return { kind: "record", conversationId, writeId, generation, checkpoint };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { isDeeperThan, isObject, type JsonObject } from "./json-value.ts";

export interface CallArguments {
  readonly arguments: JsonObject;
  /** What the model wrote when it is no JSON object; a writer sends it back as it was. */
  readonly rawArguments?: unknown;
}

const maxDepth = 256;

/**
 * The arguments of a call, given as an object or as JSON text. Blank text is a call without arguments; text that is no
 * JSON object, cut off for instance, stays in `rawArguments` and is not guessed at.
 */
export function callArguments(value: unknown): CallArguments {
  if (value === undefined || value === null) return { arguments: {} };
  if (isObject(value)) return { arguments: value };
  if (typeof value !== "string") return { arguments: {}, rawArguments: value };
  if (value.trim() === "") return { arguments: {} };
  try {
    const parsed: unknown = JSON.parse(value);
    if (isObject(parsed) && !isDeeperThan(parsed, maxDepth)) return { arguments: parsed };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { arguments: {}, rawArguments: value };
}

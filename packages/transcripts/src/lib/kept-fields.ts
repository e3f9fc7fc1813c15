import { amount, isObject, type JsonObject, moment, nonEmpty } from "./json-value.ts";
import { present } from "./optional-fields.ts";

/**
 * What to keep of a foreign message's other fields: all, save those that have a name of our schema and another meaning.
 */
export function keptFields(fields: JsonObject): JsonObject {
  const { timestamp, usage, provider, model, origin, ...foreign } = fields;
  return {
    ...foreign,
    ...present({
      timestamp: moment(timestamp),
      usage: isUsage(usage) ? usage : undefined,
      provider: nonEmpty(provider),
      model: nonEmpty(model),
      origin: origin === "injected" ? origin : undefined,
    }),
  };
}

const amounts = ["input", "output", "cacheRead", "cacheWrite", "totalTokens"] as const;

function isUsage(value: unknown): boolean {
  return isObject(value) && amounts.every((name) => amount(value[name]) !== undefined);
}

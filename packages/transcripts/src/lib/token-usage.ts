import type { Usage } from "@holdfast/message-schema";
import { amount, isObject, property } from "./json-value.ts";

/** Usage as Anthropic reports it: the cached parts stand beside `input_tokens`. */
export function anthropicUsage(value: unknown): Usage | undefined {
  const input = amount(property(value, "input_tokens"));
  const output = amount(property(value, "output_tokens"));
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = amount(property(value, "cache_read_input_tokens")) ?? 0;
  const cacheWrite = amount(property(value, "cache_creation_input_tokens")) ?? 0;
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite };
}

/**
 * Usage as OpenAI reports it, in the names of either of its interfaces: the cached part is inside the input, and is
 * taken out of it here.
 */
export function openAiUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const allInput = amount(value.input_tokens) ?? amount(value.prompt_tokens);
  const output = amount(value.output_tokens) ?? amount(value.completion_tokens);
  if (allInput === undefined || output === undefined) return undefined;
  const details = value.input_tokens_details ?? value.prompt_tokens_details;
  const cached = amount(value.cached_input_tokens) ?? amount(property(details, "cached_tokens")) ?? 0;
  const cacheRead = Math.min(cached, allInput);
  const totalTokens = amount(value.total_tokens) ?? allInput + output;
  return { input: allInput - cacheRead, output, cacheRead, cacheWrite: 0, totalTokens };
}

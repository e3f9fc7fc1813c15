import type { Counter, RequestInput } from "./compactor-options.ts";

/**
 * Tokens of the system prompt and the tool schemas.
 *
 * @throws RangeError when `overheadTokens` is given and no number of 0 or more; TypeError when `system` is no text.
 */
export function overheadOf(input: RequestInput, counter: Counter): number {
  const { overheadTokens, system, tools } = input;
  if (overheadTokens !== undefined) {
    if (!Number.isFinite(overheadTokens) || overheadTokens < 0) {
      throw new RangeError(`overheadTokens must be 0 or more, got ${String(overheadTokens)}`);
    }
    return overheadTokens;
  }
  if (system !== undefined && typeof system !== "string") {
    throw new TypeError(`system must be a string, got ${system === null ? "null" : typeof system}`);
  }
  const systemTokens = system === undefined ? 0 : counter.countText(system);
  return systemTokens + (tools === undefined ? 0 : counter.countText(JSON.stringify(tools)));
}

import type { CountTokens, MessageRole, MessageShape } from "./message-shape.ts";

/** The number of tokens, or an error that names where it came from: a budget may be infinite, nothing may be negative. */
export function checkedTokens(name: string, tokens: unknown): number {
  if (typeof tokens === "number" && tokens >= 0) return tokens;
  const problem = `${name} must be a number of tokens, got ${String(tokens)}`;
  throw typeof tokens === "number" ? new RangeError(problem) : new TypeError(problem);
}

/** An anchor that is not of the list has the index -1. */
const nameOf = (index: number): string => (index < 0 ? "the anchor" : `message ${index}`);

/** Counts each message object once, and names the message by its index where the counter throws or miscounts. */
export function checkedCounter<M>(countTokens: CountTokens<M>): (message: M, index: number) => number {
  const counted = new Map<M, number>();
  return (message, index) => {
    let tokens = counted.get(message);
    if (tokens === undefined) {
      try {
        tokens = countTokens(message);
      } catch (cause) {
        throw new TypeError(`countTokens threw for ${nameOf(index)}`, { cause });
      }
      counted.set(message, checkedTokens(`countTokens for ${nameOf(index)}`, tokens));
    }
    return tokens;
  };
}

/** The role of the message. An unknown one is an error: a guess would break the pairing silently. */
export function checkedRole<M>(message: M, index: number, shape: MessageShape<M>): MessageRole {
  const role = shape.role(message);
  if (["system", "user", "assistant", "tool"].includes(role)) return role;
  throw new TypeError(`shape.role for ${nameOf(index)} must be a known role, got ${String(role)}`);
}

import type { CountTokens, MessageRole, MessageShape } from "./message-shape.ts";

const nameOf = (index: number): string => (index < 0 ? "the anchor" : `message ${index}`);

/** The role the shape gives, or a `TypeError` that names the message: a guess would break the pairing silently. */
export function checkedRole<M>(message: M, index: number, shape: MessageShape<M>): MessageRole {
  const role: unknown = shape.role(message);
  if (role === "system" || role === "user" || role === "assistant" || role === "tool") return role;
  throw new TypeError(`shape.role names the unknown role ${String(role)} for ${nameOf(index)}`);
}

/** Counts each message object once, and throws with the index of the message where the counter throws or miscounts. */
export function checkedCounter<M>(countTokens: CountTokens<M>): (message: M, index: number) => number {
  const counted = new Map<M, number>();
  return (message, index) => {
    let tokens = counted.get(message);
    if (tokens !== undefined) return tokens;
    try {
      tokens = countTokens(message);
    } catch (cause) {
      throw new TypeError(`countTokens threw for ${nameOf(index)}: ${String(cause)}`, { cause });
    }
    if (typeof tokens !== "number" || !(tokens >= 0 && tokens < Infinity)) {
      throw new RangeError(`countTokens returned ${String(tokens)} for ${nameOf(index)}`);
    }
    counted.set(message, tokens);
    return tokens;
  };
}

/** A number of tokens from the caller: zero or more, `Infinity` included. */
export function checkedTokens(name: string, tokens: unknown): number {
  if (typeof tokens !== "number") throw new TypeError(`${name} must be a number, got ${String(tokens)}`);
  if (!(tokens >= 0)) throw new RangeError(`${name} must be zero or more, got ${tokens}`);
  return tokens;
}

import type { CountTokens, MessageRole, MessageShape } from "./message-shape.ts";

/** An error that names what was wrong and the value: a `RangeError` for a number, else a `TypeError`. */
export function refuse(name: string, value: unknown, cause?: unknown): never {
  throw new (typeof value === "number" ? RangeError : TypeError)(`Invalid ${name}: ${value}`, { cause });
}

/** The number of tokens: a budget may be infinite, nothing may be negative. */
export const checkedTokens = (name: string, tokens: unknown, most = Infinity): number =>
  typeof tokens === "number" && tokens >= 0 && tokens <= most ? tokens : refuse(name, tokens);

/** An anchor that is not of the list has the index -1. */
const nameOf = (index: number): string => (index < 0 ? "the anchor" : `message ${index}`);

/** Counts each message object once, and names the message by its index where the counter throws or miscounts. */
export function checkedCounter<M>(countTokens: CountTokens<M>): (message: M, index: number) => number {
  const counted = new Map<M, number>();
  return (message, index) => {
    let tokens = counted.get(message);
    if (tokens === undefined) {
      const name = `countTokens of ${nameOf(index)}`;
      try {
        tokens = countTokens(message);
      } catch (cause) {
        refuse(name, "it threw", cause);
      }
      counted.set(message, checkedTokens(name, tokens, Number.MAX_VALUE));
    }
    return tokens;
  };
}

/** The role of the message. An unknown one is an error: a guess would break the pairing silently. */
export function checkedRole<M>(message: M, index: number, shape: MessageShape<M>): MessageRole {
  if (Object(message) !== message) refuse(nameOf(index), message);
  const role = shape.role(message);
  return /^(system|user|assistant|tool)$/.test(role) ? role : refuse(`role of ${nameOf(index)}`, role);
}

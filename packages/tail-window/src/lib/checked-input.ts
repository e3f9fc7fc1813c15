import type { MessageRole, MessageShape } from "./message-shape.ts";

/** An error that names what was wrong and the value, which is its cause: a `RangeError` for a number, else a `TypeError`. */
export function refuse(name: string, value: unknown): never {
  throw new (typeof value === "number" ? RangeError : TypeError)(`Invalid ${name}: ${value}`, { cause: value });
}

/** The number of tokens: a budget may be infinite, nothing may be negative. */
export const checkedTokens = (name: string, tokens: unknown, most = Infinity): number =>
  typeof tokens === "number" && tokens >= 0 && tokens <= most ? tokens : refuse(name, tokens);

/** The role of the message. An unknown one is an error: a guess would break the pairing silently. */
export function checkedRole<M>(message: M, index: number, shape: MessageShape<M>): MessageRole {
  const role = message && shape.role(message);
  return /^(system|user|assistant|tool)$/.test(role) ? role : refuse(`role of message ${index}`, role);
}

import type { Message } from "@holdfast/message-schema";
import type { FallbackInput } from "./policy.ts";

/** The message in at most `maxTokens` if its parts allow it; the same object when it fits as it is. */
export function shortenMessage(
  { shape, countTokens }: Pick<FallbackInput, "shape" | "countTokens">,
  message: Message,
  maxTokens: number,
): Message {
  const count = (candidate: Message) => countTokens.message(candidate);
  if (count(message) <= maxTokens) return message;
  return shape.shorten?.(message, maxTokens, count) ?? message;
}

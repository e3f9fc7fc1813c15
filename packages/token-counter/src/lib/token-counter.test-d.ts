import type { Message } from "@holdfast/message-schema";
import { createEstimator } from "../estimate.ts";
import { createTokenCounter, type Encoding, type TokenCounter } from "../index.ts";

// Either counter is a counter, and `using` disposes of it.
export async function countTwice(messages: readonly Message[]): Promise<number> {
  using exact = await createTokenCounter({ encoding: "cl100k_base" });
  using estimator: TokenCounter = createEstimator();
  return exact.countMessages(messages) + estimator.countMessages(messages);
}

// The selector takes `countMessage` as it is.
export function countTokensOf({ countMessage }: TokenCounter): (message: Message) => number {
  return countMessage;
}

// @ts-expect-error: only the encodings whose tables ship
export const unknownEncoding: Encoding = "p50k_base";

// @ts-expect-error: counting is synchronous, making a counter is not
export const notAwaited: TokenCounter = createTokenCounter();

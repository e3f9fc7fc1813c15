import type { Message } from "@holdfast/message-schema";
import type { Encoding } from "./encoding.ts";
import { messageTokens } from "./message-tokens.ts";
import { createTextCounter } from "./text-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

export interface TokenCounterOptions {
  /** Default: `"o200k_base"`. */
  readonly encoding?: Encoding | undefined;
}

/** An exact counter for one encoding. Its tables are loaded on first use and shared by all counters of a process. */
export async function createTokenCounter({ encoding = "o200k_base" }: TokenCounterOptions = {}): Promise<TokenCounter> {
  let countText = await createTextCounter(encoding);
  let sizes = new WeakMap<Message, number>();

  function countMessage(message: Message): number {
    let tokens = sizes.get(message);
    if (tokens === undefined) {
      tokens = messageTokens(message, countText);
      sizes.set(message, tokens);
    }
    return tokens;
  }

  function dispose(): void {
    countText = () => {
      throw new Error("this token counter was disposed of");
    };
    sizes = new WeakMap();
  }

  return {
    id: `tiktoken:${encoding}`,
    countText: (text) => countText(text),
    countMessage,
    countMessages: (messages) => messages.reduce((tokens, message) => tokens + countMessage(message), 0),
    dispose,
    [Symbol.dispose]: dispose,
  };
}

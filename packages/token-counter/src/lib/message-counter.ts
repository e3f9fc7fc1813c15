import type { Message } from "@holdfast/message-schema";
import { messageTokens } from "./message-tokens.ts";
import type { TokenCounter } from "./token-counter.ts";

export interface MessageCounterOptions {
  readonly id: string;
  readonly countText: (text: string) => number;
}

/** A counter of messages over a way to count text. Each message object is counted once. */
export function createMessageCounter({ id, countText }: MessageCounterOptions): TokenCounter {
  let textCounter: ((text: string) => number) | undefined = countText;
  let sizes = new WeakMap<Message, number>();

  function openCounter(): (text: string) => number {
    if (!textCounter) throw new Error(`the token counter ${id} is disposed of`);
    return textCounter;
  }

  function countCheckedText(text: string): number {
    const count = openCounter();
    if (typeof text !== "string") throw new TypeError(`the text to count must be a string, got ${typeof text}`);
    return count(text);
  }

  function countMessage(message: Message): number {
    let tokens = sizes.get(message);
    if (tokens === undefined) {
      tokens = messageTokens(message, countCheckedText);
      sizes.set(message, tokens);
    }
    return tokens;
  }

  function countMessages(messages: readonly Message[]): number {
    // The empty list counts nothing, and is refused all the same.
    openCounter();
    return messages.reduce((tokens, message) => tokens + countMessage(message), 0);
  }

  function dispose(): void {
    textCounter = undefined;
    sizes = new WeakMap();
  }

  return {
    id,
    countText: countCheckedText,
    countMessage,
    countMessages,
    dispose,
    [Symbol.dispose]: dispose,
  };
}

import type { Message } from "@holdfast/message-schema";

/** Counts tokens. Counting is synchronous, never throws on any string, and is cached by message identity. */
export interface TokenCounter {
  /** Names the way of counting, for example `tiktoken:o200k_base`. */
  readonly id: string;
  countText(text: string): number;
  countMessage(message: Message): number;
  countMessages(messages: readonly Message[]): number;
  /** Frees the tables. Counting afterwards throws. */
  dispose(): void;
  [Symbol.dispose](): void;
}

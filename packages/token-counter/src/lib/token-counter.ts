import type { Message } from "@holdfast/message-schema";

declare global {
  // For consumers whose `lib` is older than `using`; where it is not, this says the same again.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/**
 * Counts tokens. Counting is synchronous. No string makes it throw, as long as there is memory: the exact counter takes 31
 * bytes for each byte of the longest run without a break. A message object is counted once and then known by its
 * identity: a message that changes must be a new object.
 */
export interface TokenCounter {
  /** Names the way of counting, for example `tiktoken:o200k_base`. */
  readonly id: string;
  /** Special tokens such as `<|endoftext|>` are read as ordinary text. 0 for the empty string. */
  countText(text: string): number;
  /**
   * The message's text and the overheads the README lists; a picture costs the same whatever its size, also inside an
   * opaque part. Arguments and opaque values may be of any depth, circular, or hold a bigint.
   */
  countMessage(message: Message): number;
  /** The sum of the messages; 0 for the empty list. */
  countMessages(messages: readonly Message[]): number;
  /** Lets go of the tables. Counting afterwards throws; disposing again does nothing. */
  dispose(): void;
  /** The same as `dispose`, for `using`. */
  [Symbol.dispose](): void;
}

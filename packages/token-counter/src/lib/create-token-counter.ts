import type { Encoding } from "./encoding.ts";
import { createMessageCounter } from "./message-counter.ts";
import { sharedTextCounter } from "./shared-text-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

export interface TokenCounterOptions {
  /** Default: `"o200k_base"`. */
  readonly encoding?: Encoding | undefined;
}

/**
 * A counter that is exact for one encoding. The tables are loaded with the first counter of a process, shared by all,
 * and garbage when none of them is left. Throws for an encoding it does not know.
 */
export async function createTokenCounter({ encoding = "o200k_base" }: TokenCounterOptions = {}): Promise<TokenCounter> {
  return createMessageCounter({ id: `tiktoken:${encoding}`, countText: await sharedTextCounter(encoding) });
}

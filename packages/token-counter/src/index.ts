export { createTokenCounter, type TokenCounterOptions } from "./lib/create-token-counter.ts";
export type { Encoding } from "./lib/encoding.ts";
export type { TokenCounter } from "./lib/token-counter.ts";

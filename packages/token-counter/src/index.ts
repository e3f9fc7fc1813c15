export type { TokenCounter } from "./lib/token-counter.ts";

export { createEstimator } from "./lib/create-estimator.ts";
export type { TokenCounter } from "./lib/token-counter.ts";

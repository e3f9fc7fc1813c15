export type { FailureReason, FallbackInput, FallbackPolicy, FallbackResult } from "./lib/policy.ts";

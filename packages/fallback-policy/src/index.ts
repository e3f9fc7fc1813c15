export { definePolicy, type PolicyDefinition } from "./lib/define-policy.ts";
export { type FailureReason, failureReasons } from "./lib/failure-reason.ts";
export { FALLBACK_POLICIES, type FallbackPolicyId, getFallbackPolicy } from "./lib/fallback-policies.ts";
export type {
  BuiltFallback,
  FallbackInput,
  FallbackPart,
  FallbackPolicy,
  FallbackReport,
  FallbackResult,
} from "./lib/policy.ts";

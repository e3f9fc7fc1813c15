import { latestUserV1 } from "./latest-user-v1.ts";
import type { FallbackPolicy } from "./policy.ts";
import { recentWindowLedgerV3 } from "./recent-window-ledger-v3.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";

export type FallbackPolicyId = "latest-user@1" | "recent-window@2" | "recent-window-ledger@3";

/** The published policies by id. Each is frozen: the same input gives the same bytes in every later release. */
export const FALLBACK_POLICIES: Readonly<Record<FallbackPolicyId, FallbackPolicy>> = {
  "latest-user@1": latestUserV1,
  "recent-window@2": recentWindowV2,
  "recent-window-ledger@3": recentWindowLedgerV3,
};

/** @throws RangeError when no published policy has the id; the message lists those that are. */
export function getFallbackPolicy(id: string): FallbackPolicy {
  if (!isPublished(id)) {
    throw new RangeError(
      `no fallback policy ${JSON.stringify(id)}; there is ${Object.keys(FALLBACK_POLICIES).join(", ")}`,
    );
  }
  return FALLBACK_POLICIES[id];
}

function isPublished(id: string): id is FallbackPolicyId {
  return Object.hasOwn(FALLBACK_POLICIES, id);
}

import type { Message } from "@holdfast/message-schema";
import { expectTypeOf, test } from "vitest";
import { deriveBudgets } from "./budgets.ts";
import { failureReasons } from "./failure-reason.ts";
import { FALLBACK_POLICIES, type FallbackPolicyId } from "./fallback-policies.ts";
import type { Ledger } from "./ledger-1/ledger.ts";
import { readLedger } from "./ledger-1/read-ledger.ts";
import type { FallbackInput, FallbackPolicy } from "./policy.ts";
import { room } from "./room.ts";

test("derived budgets are what a policy and the room take", () => {
  const budgets = deriveBudgets({ contextWindow: 1000 });
  expectTypeOf(budgets).toExtend<FallbackInput["budgets"]>();
  expectTypeOf(room(budgets, { fixedTokens: 0, noticeTokens: 0 })).toEqualTypeOf<number | undefined>();
});

test("a fallback that was not built has no summary to use by mistake", () => {
  const result = FALLBACK_POLICIES["recent-window@2"].build({} as FallbackInput);
  expectTypeOf(result).not.toHaveProperty("summary");
  if (result.ok) expectTypeOf(result.retainedTail).toEqualTypeOf<readonly Message[]>();
  else expectTypeOf(result.tooLarge).toEqualTypeOf<"overhead" | "notice" | "anchor">();
});

test("the published ids are known to the compiler, and the reasons are four words", () => {
  expectTypeOf(FALLBACK_POLICIES).toEqualTypeOf<Readonly<Record<FallbackPolicyId, FallbackPolicy>>>();
  expectTypeOf(failureReasons).items.toEqualTypeOf<
    "no_new_history" | "summary_budget" | "summary_provider" | "checkpoint_oversized"
  >();
});

test("a stored ledger is unknown until it was read", () => {
  expectTypeOf(readLedger).parameter(0).toEqualTypeOf<unknown>();
  expectTypeOf(readLedger).returns.toEqualTypeOf<Ledger | undefined>();
});

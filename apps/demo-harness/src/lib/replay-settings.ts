import type { CheckpointStore } from "@holdfast/checkpoint-store";
import { FALLBACK_POLICIES, type FallbackPolicy } from "@holdfast/fallback-policy";
import type { CompactionStrategy } from "@holdfast/runtime-adapter";
import type { TokenCounter } from "@holdfast/token-counter";
import type { FailureKind } from "./offline-summary-model.ts";
import type { ReplayOptions } from "./replay.ts";

/** The options of `holdfast replay`, as they were typed. */
export interface ReplaySettings {
  readonly window: number;
  readonly maxOutput?: number | undefined;
  readonly overhead: number;
  readonly summaryWindow?: number | undefined;
  readonly policy: FallbackPolicy;
  readonly strategy: CompactionStrategy;
  readonly fail: FailureKind;
  readonly failFrom?: number | undefined;
  readonly failChunk?: number | undefined;
  readonly manualAt?: number | undefined;
}

/** The published policy ids, as the option lists them. */
export const policyIds = Object.keys(FALLBACK_POLICIES);

/** What was not said: an output limit of 16,384 or a quarter of the window, whichever is smaller. */
export function toReplayOptions(
  settings: ReplaySettings,
  { counter, store }: { readonly counter: TokenCounter; readonly store: CheckpointStore },
): ReplayOptions {
  return {
    counter,
    store,
    contextWindow: settings.window,
    maxOutputTokens: settings.maxOutput ?? Math.max(1, Math.min(16_384, Math.floor(settings.window / 4))),
    overheadTokens: settings.overhead,
    summaryWindow: settings.summaryWindow,
    policy: settings.policy,
    strategy: settings.strategy,
    failure: settings.fail,
    failFrom: settings.failFrom ?? 1,
    failChunk: settings.failChunk,
    manualAt: settings.manualAt,
  };
}

import type { Checkpoint } from "@holdfast/checkpoint-normalizer";
import { failureReasons } from "@holdfast/fallback-policy";
import type { LimiterState } from "./limiter.ts";

/** The limiter of one conversation: live, and read back from the checkpoint that recorded it. */
export interface LimiterMemory {
  state(): LimiterState | undefined;
  /** Takes over what a checkpoint recorded, once per checkpoint. */
  restore(checkpoint: Checkpoint | undefined): void;
  /** After an attempt that left no checkpoint. */
  set(state: LimiterState | undefined): void;
}

export function createLimiterMemory(): LimiterMemory {
  let state: LimiterState | undefined;
  let restoredFrom: string | undefined;
  return {
    state: () => state,
    restore: (checkpoint) => {
      if (checkpoint === undefined || checkpoint.id === restoredFrom) return;
      restoredFrom = checkpoint.id;
      state = parseLimiterState(checkpoint.details.limiter);
    },
    set: (next) => {
      state = next;
    },
  };
}

function parseLimiterState(value: unknown): LimiterState | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { waitTokens, sinceMessageId, reason } = value as Record<string, unknown>;
  if (typeof waitTokens !== "number" || typeof sinceMessageId !== "string") return undefined;
  const known = failureReasons.find((word) => word === reason);
  return { waitTokens, sinceMessageId, ...(known === undefined ? {} : { reason: known }) };
}

import { rebuildContext, summaryRange, uncovered, windowRange } from "@holdfast/checkpoint-normalizer";
import type { FailureReason, FallbackPolicy } from "@holdfast/fallback-policy";
import { type Budgets, room } from "@holdfast/fallback-policy/budgets";
import type { Message } from "@holdfast/message-schema";
import { findBoundary } from "./boundary.ts";
import type {
  ActiveCompactionPlan,
  CompactionPlan,
  CompactionStrategy,
  CompactionTrigger,
  PlannedRange,
} from "./compaction-plan.ts";
import { countRoles } from "./compaction-report.ts";
import { leadingSystemCount, type Snapshot } from "./snapshot.ts";

export interface PlanOptions {
  readonly trigger: CompactionTrigger;
  readonly strategy: CompactionStrategy;
  readonly policy: FallbackPolicy;
  readonly budgets: Budgets;
  readonly limitFactor: number;
  readonly chain: readonly unknown[];
  readonly generation: number;
  /** Whether a model may be asked, and if not, why the last attempt failed. */
  readonly limiter: { readonly open: boolean; readonly reason?: FailureReason | undefined };
  /** The last checkpoint could not be stored: see `isHeld`. */
  readonly isWriteFailing: boolean;
  readonly countMessage: (message: Message) => number;
}

/** The messages a plan is about, found again from the transcript: a plan itself is JSON and holds only ids. */
export interface CompactionRanges {
  readonly boundaryIndex: number;
  readonly window: readonly Message[];
  readonly summary: readonly Message[];
  readonly intervals: readonly { readonly from: string; readonly through: string }[];
}

/**
 * Tokens of the longest recovery notice a published policy writes, rounded up. Planned for before a model is asked: an
 * attempt whose failure would leave no room for a fallback is not begun.
 */
export const NOTICE_TOKENS = 200;

/** Decides what a compaction does. Pure: asks nobody, writes nothing. */
export function planCompaction(snapshot: Snapshot, options: PlanOptions): CompactionPlan {
  const { transcript, checkpoint, size, overheadTokens } = snapshot;
  const { trigger, budgets, limiter } = options;
  const boundary = findBoundary(transcript, trigger);
  const ranges = findRanges(snapshot, options.chain, boundary.index);
  const tokensBefore = size.tokens;
  const mustShrink = tokensBefore >= budgets.hardLimit || trigger === "overflow";
  if (ranges.window.length === 0) {
    if (!mustShrink) return { kind: "unchanged", trigger, reason: "no_new_history" };
    // A checkpoint may itself be what is too large, for a smaller model or beside a longer prompt: its summary is then
    // carried shortened.
    if (checkpoint === undefined) return { kind: "impossible", trigger, tokensBefore };
  }
  const hasNewHistory = ranges.summary.length > 0;
  if (!hasNewHistory && !mustShrink) return { kind: "unchanged", trigger, reason: "no_new_history" };
  const held = isHeld(options, mustShrink);
  if (held && !mustShrink) return { kind: "unchanged", trigger, reason: "limited" };

  const behindBoundary = transcript.slice(ranges.boundaryIndex + 1);
  // System messages in mid-conversation are ordinary messages, also where the cut makes them the first.
  const notes = ranges.boundaryIndex < snapshot.system.length ? 0 : leadingSystemCount(behindBoundary);
  const behind = [...behindBoundary.slice(0, notes), ...rebuildContext({ transcript: behindBoundary })];
  const fixedTokens = behind.reduce((sum, message) => sum + options.countMessage(message), overheadTokens);
  const noticeTokens = options.strategy === "fresh_window" ? 0 : NOTICE_TOKENS;
  const roomTokens = room(budgets, { fixedTokens, noticeTokens });
  const through = transcript[ranges.boundaryIndex] ?? checkpoint?.throughMessageId;
  const at = transcript.at(-1);
  if (roomTokens === undefined || through === undefined || at === undefined) {
    return { kind: "impossible", trigger, tokensBefore };
  }
  const base: Omit<ActiveCompactionPlan, "kind"> = {
    trigger,
    policy: options.policy.id,
    generation: options.generation,
    throughMessageId: typeof through === "string" ? through : through.id,
    atMessageId: at.id,
    mode: boundary.mode,
    tokensBefore,
    fixedTokens,
    roomTokens,
    limitFactor: options.limitFactor,
    windowRange: planned(ranges.window),
    summaryRange: planned(ranges.summary),
    intervals: ranges.intervals,
  };
  if (options.strategy === "fresh_window") return { ...base, kind: "fresh_window" };
  if (!hasNewHistory) return { ...base, kind: "fallback_without_asking", reason: "no_new_history" };
  if (held) return { ...base, kind: "fallback_without_asking", reason: limiter.reason ?? "checkpoint_oversized" };
  return { ...base, kind: "ask_model" };
}

/**
 * Whether no model is asked. A store that failed is tried again with what costs nothing, as long as that is enough to
 * send the request: a summary is not paid for again only to be lost again. What is asked for by hand is asked.
 */
function isHeld({ trigger, limiter, isWriteFailing }: PlanOptions, mustShrink: boolean): boolean {
  if (isWriteFailing && mustShrink && trigger !== "manual") return true;
  return !limiter.open && trigger !== "overflow";
}

export function findRanges(snapshot: Snapshot, chain: readonly unknown[], wantedBoundary: number): CompactionRanges {
  const { transcript, checkpoint } = snapshot;
  // A boundary never moves back: what a checkpoint stands for stays behind it.
  const previous =
    checkpoint === undefined ? -1 : transcript.findLastIndex((message) => message.id === checkpoint.throughMessageId);
  const boundaryIndex = Math.max(wantedBoundary, previous);
  const unread = summaryRange({ transcript, checkpoint, boundaryIndex, uncovered: uncovered(chain, transcript) });
  return {
    boundaryIndex,
    window: windowRange({ transcript, checkpoint, boundaryIndex }),
    summary: unread.messages,
    intervals: unread.intervals,
  };
}

function planned(messages: readonly Message[]): PlannedRange {
  return { from: messages[0]?.id, through: messages.at(-1)?.id, ...countRoles(messages) };
}

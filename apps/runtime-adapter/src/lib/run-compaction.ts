import type { Checkpoint } from "@holdfast/checkpoint-normalizer";
import type { Clock } from "@holdfast/chunked-summarizer";
import type { FallbackPolicy } from "@holdfast/fallback-policy";
import type { DerivedBudgets } from "@holdfast/fallback-policy/budgets";
import type { Message } from "@holdfast/message-schema";
import { type Boundary, findBoundary } from "./boundary.ts";
import type { CheckpointChain } from "./checkpoint-chain.ts";
import type { ActiveCompactionPlan, CompactionPlan, CompactionStrategy, CompactionTrigger } from "./compaction-plan.ts";
import { type CompactionReport, countRoles, idleReport, withCause } from "./compaction-report.ts";
import type { CompactorOptions } from "./compactor-options.ts";
import type { createEmitter } from "./events.ts";
import { afterAttempt, isOpen, type LimiterState } from "./limiter.ts";
import type { LimiterMemory } from "./limiter-memory.ts";
import { type CompactionDraft, contextWith, performCompaction } from "./perform-compaction.ts";
import { findRanges, planCompaction } from "./plan-compaction.ts";
import { scaleBudgets } from "./scale-budgets.ts";
import type { Snapshot } from "./snapshot.ts";
import type { CheckpointDraft } from "./summary-checkpoint.ts";

export interface RunnerParts extends Pick<CompactorOptions, "summaryModel" | "counter" | "conversationId" | "model"> {
  readonly policy: FallbackPolicy;
  readonly strategy: CompactionStrategy;
  readonly instructions?: string | undefined;
  readonly clock: Clock;
  readonly random?: (() => number) | undefined;
  readonly chain: CheckpointChain;
  readonly limiter: LimiterMemory;
  readonly emitter: ReturnType<typeof createEmitter>;
  readonly countMessage: (message: Message) => number;
}

export interface RunOptions {
  readonly trigger: CompactionTrigger;
  readonly budgets: DerivedBudgets;
  /** 1, or less after an overflow proved the count wrong. */
  readonly limitFactor: number;
  readonly signal?: AbortSignal | undefined;
  readonly currentMessages?: (() => readonly Message[]) | undefined;
}

/** One compaction from plan to installed record. A failure at any step leaves the old state whole. */
export async function runCompaction(
  snapshot: Snapshot,
  parts: RunnerParts,
  options: RunOptions,
): Promise<CompactionReport> {
  const { emitter, policy, chain } = parts;
  const boundary = findBoundary(snapshot.transcript, options.trigger);
  const idle = idleReport({
    trigger: options.trigger,
    policy: policy.id,
    mode: boundary.mode,
    generation: chain.generation(),
    tokens: snapshot.size.tokens,
  });
  const budgets = scaleBudgets(options.budgets, options.limitFactor);
  try {
    const report = await follow(snapshot, parts, { ...options, budgets, boundary, idle });
    emitter.emit("compaction_end", report);
    return report;
  } catch (cause) {
    // A policy or a counter of the host's own has thrown: for the host to see, but a start is not left without an end.
    emitter.emit("compaction_end", withCause({ ...idle, outcome: "failed" }, cause));
    throw cause;
  }
}

interface FollowOptions extends RunOptions {
  readonly boundary: Boundary;
  readonly idle: Omit<CompactionReport, "outcome">;
}

async function follow(snapshot: Snapshot, parts: RunnerParts, options: FollowOptions): Promise<CompactionReport> {
  const { trigger, budgets, boundary, idle } = options;
  const { chain, limiter, emitter, countMessage, policy } = parts;
  const unread = chain.readFailure();
  if (unread !== undefined) return withCause({ ...idle, outcome: "store_failed" }, unread.cause);
  // A conversation that has not begun is in no turn: there is nothing new in it.
  const isInTurn = boundary.mode === "active_turn" && boundary.index >= snapshot.system.length;
  if (trigger === "manual" && isInTurn) return { ...idle, outcome: "refused" };
  const plan = planFor(snapshot, parts, options);
  if (plan.kind === "unchanged") {
    const reason = plan.reason === "limited" ? limiter.state()?.reason : plan.reason;
    return { ...idle, outcome: "unchanged", failureReason: reason };
  }
  if (plan.kind === "impossible") return { ...idle, outcome: "failed" };

  emitter.emit("compaction_start", { trigger, plan });
  const ranges = findRanges(snapshot, chain.records(), boundary.index);
  const performed = await performCompaction(plan, ranges, snapshot, {
    model: parts.summaryModel,
    counter: parts.counter,
    clock: parts.clock,
    random: parts.random,
    instructions: parts.instructions,
    signal: options.signal,
    onProgress: (progress) => emitter.emit("compaction_progress", progress),
    budgets,
    policy,
    countMessage,
  });
  const { summaryRequests, usage, failureReason } = performed;
  const attempted = { ...idle, range: countRoles(ranges.window), summaryRequests, usage };
  if (performed.outcome === "aborted" || options.signal?.aborted) return { ...attempted, outcome: "aborted" };

  const noteUseless = () => {
    const state = limiter.state();
    limiter.set(limiterAfter(plan, performed, { freedTokens: 0, state, hardLimit: budgets.hardLimit }));
  };
  const built =
    performed.draft === undefined ? undefined : build(performed.draft, plan, performed, snapshot, parts, budgets);
  if (built === undefined) {
    noteUseless();
    return withCause({ ...attempted, outcome: "failed", failureReason }, performed.cause);
  }
  const { checkpoint, tokensAfter } = built;
  try {
    const appended = await chain.append(checkpoint, () => {
      const now = options.currentMessages?.() ?? snapshot.transcript;
      return now.some(({ id }) => id === checkpoint.throughMessageId);
    });
    if (!appended.ok) return { ...attempted, outcome: "conflict" };
  } catch (cause) {
    // A summary that could not be stored was paid for all the same.
    noteUseless();
    return withCause({ ...attempted, outcome: "store_failed" }, cause);
  }
  const report = { ...attempted, ...installed(checkpoint, performed, ranges.window), failureReason, tokensAfter };
  return withCause(report, performed.cause);
}

function planFor(snapshot: Snapshot, parts: RunnerParts, options: RunOptions): CompactionPlan {
  const state = parts.limiter.state();
  return planCompaction(snapshot, {
    trigger: options.trigger,
    strategy: parts.strategy,
    policy: parts.policy,
    budgets: options.budgets,
    limitFactor: options.limitFactor,
    chain: parts.chain.records(),
    generation: parts.chain.generation() + 1,
    limiter: { open: isOpen(state, snapshot.transcript, parts.countMessage), reason: state?.reason },
    isWriteFailing: parts.chain.isWriteFailing(),
    countMessage: parts.countMessage,
  });
}

/** The record as it will be stored, or `undefined` when it would not help: no smaller than before, or over the limit. */
function build(
  draft: CheckpointDraft,
  plan: ActiveCompactionPlan,
  performed: CompactionDraft,
  snapshot: Snapshot,
  parts: RunnerParts,
  budgets: DerivedBudgets,
): { checkpoint: Checkpoint; tokensAfter: number } | undefined {
  const { model, countMessage } = parts;
  const record: Checkpoint = {
    id: `${parts.conversationId}:${plan.generation}`,
    summary: draft.summary,
    throughMessageId: plan.throughMessageId,
    tokensBefore: plan.tokensBefore,
    usage: performed.usage,
    retainedTail: draft.retainedTail,
    details: {
      ...draft.details,
      atMessageId: plan.atMessageId,
      ...(snapshot.size.calibration === 1 ? {} : { calibration: snapshot.size.calibration }),
    },
    ...(model.providerId === undefined ? {} : { providerId: model.providerId }),
    ...(model.modelId === undefined ? {} : { modelId: model.modelId }),
    createdAt: new Date(parts.clock.now()).toISOString(),
  };
  const count = (context: readonly Message[]) =>
    context.reduce((sum, message) => sum + countMessage(message), snapshot.overheadTokens);
  const tokensAfter = count(contextWith(record, snapshot.transcript));
  // What is not sent yet can only be counted. A provider that reports less than is counted must not make it look useless.
  const freedTokens = Math.max(plan.tokensBefore, count(snapshot.context)) - tokensAfter;
  const isSmaller = freedTokens > 0 || plan.trigger === "overflow";
  if (!isSmaller || tokensAfter >= budgets.hardLimit) return undefined;
  const limiter = limiterAfter(plan, performed, {
    freedTokens,
    state: parts.limiter.state(),
    hardLimit: budgets.hardLimit,
  });
  const details = limiter === undefined ? record.details : { ...record.details, limiter };
  return { checkpoint: { ...record, details }, tokensAfter };
}

function limiterAfter(
  plan: ActiveCompactionPlan,
  performed: CompactionDraft,
  measured: { freedTokens: number; state: LimiterState | undefined; hardLimit: number },
): LimiterState | undefined {
  const { state, freedTokens, hardLimit } = measured;
  if (plan.kind === "fallback_without_asking") return state;
  const attempt = {
    sinceMessageId: plan.atMessageId,
    failureReason: performed.failureReason,
    askedModel: performed.summaryRequests > 0,
    freedTokens,
  };
  return afterAttempt(state, attempt, hardLimit);
}

function installed(checkpoint: Checkpoint, performed: CompactionDraft, windowRange: readonly Message[]) {
  const kept = new Set(checkpoint.retainedTail.map((message) => message.id));
  return {
    outcome: performed.outcome,
    generation: checkpoint.details.generation,
    windowBudget: performed.fallback?.windowBudget ?? null,
    retained: countRoles(checkpoint.retainedTail),
    leftOut: countRoles(windowRange.filter((message) => !kept.has(message.id))),
    shortened: performed.fallback?.shortenedIds ?? [],
    omitted: performed.fallback?.omitted ?? [],
    anchor: performed.fallback?.anchorId ?? null,
    uncovered: checkpoint.details.uncovered ?? [],
    checkpoint,
  };
}

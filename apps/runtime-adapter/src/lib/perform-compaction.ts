import {
  type Checkpoint,
  type CheckpointDetails,
  carriedSummary,
  rebuildContext,
  selectCheckpoint,
} from "@holdfast/checkpoint-normalizer";
import type { PartialSummary, SummaryUsage } from "@holdfast/chunked-summarizer";
import type { FailureReason, FallbackPolicy, FallbackReport } from "@holdfast/fallback-policy";
import { type Message, shape } from "@holdfast/message-schema";
import { type AskOptions, askForSummary } from "./ask-for-summary.ts";
import type { ActiveCompactionPlan } from "./compaction-plan.ts";
import type { CompactionRanges } from "./plan-compaction.ts";
import type { Snapshot } from "./snapshot.ts";
import { type CheckpointDraft, draftFreshWindow, draftSummaryCheckpoint, draftTokens } from "./summary-checkpoint.ts";

/** What asking and building came to; nothing is stored yet. */
export interface CompactionDraft {
  readonly outcome: "summary" | "fresh_window" | "fallback" | "failed" | "aborted";
  readonly failureReason?: FailureReason | undefined;
  readonly summaryRequests: number;
  readonly usage: SummaryUsage | null;
  /** Absent for `failed` and `aborted`. */
  readonly draft?: CheckpointDraft | undefined;
  readonly fallback?: FallbackReport | undefined;
  /** What was wrong with the model's answer, for the host alone: it may be in a provider's words. */
  readonly cause?: unknown;
}

export interface PerformOptions extends AskOptions {
  readonly policy: FallbackPolicy;
}

/** Asks, if the plan says so, and builds the checkpoint. Stores nothing. */
export async function performCompaction(
  plan: ActiveCompactionPlan,
  ranges: CompactionRanges,
  snapshot: Snapshot,
  options: PerformOptions,
): Promise<CompactionDraft> {
  const nothingSent = { summaryRequests: 0, usage: null };
  const previous = snapshot.checkpoint?.details;
  if (plan.kind === "fresh_window") {
    return { ...nothingSent, outcome: "fresh_window", draft: draftFreshWindow(plan, previous) };
  }
  if (plan.kind === "fallback_without_asking") {
    const failureReason = plan.reason ?? "no_new_history";
    return { ...nothingSent, ...buildFallback(plan, ranges, snapshot, options, { failureReason }) };
  }
  const { result, asked, leftUnread, mistake } = await askForSummary(plan, ranges, snapshot, options);
  if ("aborted" in result) return { outcome: "aborted", summaryRequests: result.requests, usage: result.usage };
  const sent = { summaryRequests: result.requests, usage: result.usage };
  if (!result.ok) {
    const { reason: failureReason, partial, promptVersion } = result;
    const failure = { failureReason, partial, promptVersion, asked };
    return { ...sent, ...buildFallback(plan, ranges, snapshot, options, failure), cause: mistake };
  }
  const draft = draftSummaryCheckpoint({
    plan,
    budgets: options.budgets,
    transcript: snapshot.transcript,
    windowRange: ranges.window,
    summary: result.summary,
    files: result.files,
    promptVersion: result.promptVersion,
    uncovered: leftUnread,
    previousDetails: previous,
    countMessage: options.countMessage,
  });
  if (isWorthInstalling(draft, plan, ranges, snapshot, options.countMessage))
    return { ...sent, outcome: "summary", draft };
  const oversized = {
    failureReason: "checkpoint_oversized" as const,
    promptVersion: result.promptVersion,
    writtenSummary: result.summary,
  };
  return { ...sent, ...buildFallback(plan, ranges, snapshot, options, oversized) };
}

interface Failure {
  readonly failureReason: FailureReason;
  readonly promptVersion?: string | undefined;
  readonly partial?: PartialSummary | undefined;
  /** What the partial summary was asked about: nothing else of the range counts as read. */
  readonly asked?: readonly Message[] | undefined;
  /** A summary that was valid and too large: its text is carried, its range stays uncovered. */
  readonly writtenSummary?: string | undefined;
}

function buildFallback(
  plan: ActiveCompactionPlan,
  ranges: CompactionRanges,
  snapshot: Snapshot,
  options: PerformOptions,
  failure: Failure,
): Pick<CompactionDraft, "outcome" | "failureReason" | "draft" | "fallback"> {
  const { failureReason } = failure;
  if (plan.trigger === "manual") return { outcome: "failed", failureReason };
  const previous = snapshot.checkpoint?.details;
  const built = options.policy.build({
    transcript: snapshot.transcript.slice(snapshot.system.length, ranges.boundaryIndex + 1),
    windowRange: ranges.window,
    summaryRange: failure.partial === undefined ? ranges.summary : (failure.asked ?? ranges.summary),
    mode: plan.mode,
    carriedSummary: failure.writtenSummary ?? carriedSummary(snapshot.checkpoint),
    failureReason,
    budgets: options.budgets,
    overheadTokens: plan.fixedTokens,
    countTokens: { text: (text) => options.counter.countText(text), message: options.countMessage },
    shape,
    // A record from before the list existed has its gaps from the chain.
    previousDetails: previous && { ...previous, uncovered: ranges.intervals },
    partial: failure.partial,
    promptVersion: failure.promptVersion,
  });
  if (!built.ok) return { outcome: "failed", failureReason };
  const details: CheckpointDetails = { ...built.details, generation: plan.generation };
  const draft = { summary: built.summary, retainedTail: built.retainedTail, details };
  return { outcome: "fallback", failureReason, draft, fallback: built.report };
}

/** A summary is installed when it fits the room and is smaller than what it replaces. */
function isWorthInstalling(
  draft: CheckpointDraft,
  plan: ActiveCompactionPlan,
  ranges: CompactionRanges,
  snapshot: Snapshot,
  countMessage: (message: Message) => number,
): boolean {
  const tokens = draftTokens(draft, countMessage);
  const replaced = rebuildContext({
    transcript: snapshot.transcript.slice(0, ranges.boundaryIndex + 1),
    checkpoint: snapshot.checkpoint,
  }).reduce((sum, message) => sum + countMessage(message), 0);
  return tokens <= plan.roomTokens && tokens < replaced;
}

/** The context a record would give, read exactly as a restart reads it. */
export function contextWith(checkpoint: Checkpoint, transcript: readonly Message[]): readonly Message[] {
  return rebuildContext({ transcript, checkpoint: selectCheckpoint([checkpoint], transcript).checkpoint });
}

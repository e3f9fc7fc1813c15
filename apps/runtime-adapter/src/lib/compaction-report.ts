import type { Checkpoint, RetainedTailMode, UncoveredInterval } from "@holdfast/checkpoint-normalizer";
import type { SummaryUsage } from "@holdfast/chunked-summarizer";
import type { FailureReason } from "@holdfast/fallback-policy";
import type { Message } from "@holdfast/message-schema";
import type { CompactionTrigger } from "./compaction-plan.ts";

/**
 * How a compaction ended. `unchanged`: nothing to do. `failed`: no checkpoint could be made. `conflict`: another writer
 * was first. `store_failed`: the store threw. Whatever is not `summary`, `fresh_window` or `fallback` left the old state whole.
 */
export type CompactionOutcome =
  | "summary"
  | "fresh_window"
  | "fallback"
  | "failed"
  | "aborted"
  | "unchanged"
  | "refused"
  | "conflict"
  | "store_failed";

export interface RoleCounts {
  readonly user: number;
  readonly assistant: number;
  readonly tool: number;
}

/** What a compaction did. JSON, in which there is no text of a provider; `cause` is not part of it. */
export interface CompactionReport {
  readonly trigger: CompactionTrigger;
  readonly outcome: CompactionOutcome;
  readonly failureReason?: FailureReason | undefined;
  /** Id of the policy that a fallback would use or has used. */
  readonly policy: string;
  readonly mode: RetainedTailMode;
  readonly generation: number;
  /** Sendings to the summary model, the failed ones included. */
  readonly summaryRequests: number;
  readonly usage?: SummaryUsage | null | undefined;
  /** Size of the next request before and after, in tokens. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What a fallback's window had, anchor and ledger included; `null` for every other outcome. */
  readonly windowBudget: number | null;
  /** Counts by role of what the selector saw, what stays word for word, and what left the context. */
  readonly range: RoleCounts;
  readonly retained: RoleCounts;
  readonly leftOut: RoleCounts;
  /** Ids of retained messages that were shortened. */
  readonly shortened: readonly string[];
  /** Messages inside the window's span that were left out. */
  readonly omitted: readonly { readonly id: string; readonly reason: string }[];
  /** Id of the request kept ahead of the window, else `null`. */
  readonly anchor: string | null;
  readonly uncovered: readonly UncoveredInterval[];
  /** The record that was installed, else `null`. */
  readonly checkpoint: Checkpoint | null;
  /**
   * What was thrown: by the store, by a policy or counter of the host's own, or by the summary model the last time it was
   * asked (a `SummaryModelError` without its own cause; for an answer of the wrong form, an error that says so). For the
   * host to find a mistake with: it may hold a provider's words, so it is never stored, and left out by `JSON.stringify`
   * and by a copy.
   */
  readonly cause?: unknown;
}

/** The report with what was thrown, in a field that is not enumerable: what is logged or stored of a report leaves it out. */
export function withCause(report: CompactionReport, cause: unknown): CompactionReport {
  return cause === undefined ? report : Object.defineProperty({ ...report }, "cause", { value: cause });
}

/** Counts by role; system messages are not counted. */
export function countRoles(messages: readonly Message[]): RoleCounts {
  const of = (role: Message["role"]) => messages.filter((message) => message.role === role).length;
  return { user: of("user"), assistant: of("assistant"), tool: of("toolResult") };
}

/** The report of a compaction that did nothing; its outcome is for the caller to say. */
export function idleReport(
  facts: Pick<CompactionReport, "trigger" | "policy" | "mode" | "generation"> & { readonly tokens: number },
): Omit<CompactionReport, "outcome"> {
  const { tokens, ...rest } = facts;
  const none: RoleCounts = { user: 0, assistant: 0, tool: 0 };
  return {
    ...rest,
    summaryRequests: 0,
    usage: null,
    tokensBefore: tokens,
    tokensAfter: tokens,
    windowBudget: null,
    range: none,
    retained: none,
    leftOut: none,
    shortened: [],
    omitted: [],
    anchor: null,
    uncovered: [],
    checkpoint: null,
  };
}

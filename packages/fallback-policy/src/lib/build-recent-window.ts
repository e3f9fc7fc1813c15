import { fallbackDetails } from "./fallback-details.ts";
import { payForSummary, summaryToCarry } from "./fallback-payment.ts";
import type { NoticeFacts } from "./notice-facts.ts";
import type { BuiltFallback, FallbackInput, FallbackResult } from "./policy.ts";
import { type RecentTail, selectRecentTail } from "./recent-tail.ts";
import { shrinkingTails } from "./shrinking-tails.ts";
import { summaryText } from "./summary-text.ts";
import { summaryTokens } from "./summary-tokens.ts";

export interface RecentWindowPolicy {
  readonly id: string;
  /** The notice, inside its marks. More facts never make it shorter. */
  writeNotice(facts: NoticeFacts): string;
}

/** A fallback that keeps the recent window: carried summary and notice as its summary, the window as its tail. */
export function buildRecentWindow(input: FallbackInput, { id, writeNotice }: RecentWindowPolicy): FallbackResult {
  const { budgets, countTokens, mode } = input;
  const earlierSummary = summaryToCarry(input) !== "";
  // The notice is paid before the tail is known, so the longest one that may be written is.
  const notice = writeNotice({
    earlierSummary,
    tail: true,
    anchor: mode === "active_turn",
    stopped: mode === "completed_turn",
  });
  const payment = payForSummary(input, { notice });
  if (!payment.ok) return payment;

  const windowBudget = Math.max(0, Math.min(budgets.keepRecent, payment.leftTokens));
  for (const tail of shrinkingTails(input, windowBudget, selectRecentTail)) {
    const facts = { earlierSummary, ...noticeFactsOf(tail, input) };
    const summary = summaryText(payment.carried, writeNotice(facts));
    if (summaryTokens(summary, countTokens) + tail.tokens > payment.roomTokens) continue;
    return {
      ok: true,
      summary,
      retainedTail: tail.messages,
      details: fallbackDetails(input, { policy: id, payment, shape: "recent_window" }),
      report: reportOf(tail, windowBudget),
    };
  }
  return { ok: false, tooLarge: "anchor" };
}

function noticeFactsOf(tail: RecentTail, { mode, shape }: FallbackInput): Omit<NoticeFacts, "earlierSummary"> {
  const last = tail.messages.at(-1);
  return {
    tail: last !== undefined,
    anchor: tail.anchorId !== undefined,
    stopped: mode === "completed_turn" && last !== undefined && shape.role(last) !== "assistant",
  };
}

function reportOf(tail: RecentTail, windowBudget: number): BuiltFallback["report"] {
  return {
    windowBudget,
    ...(tail.anchorId !== undefined && { anchorId: tail.anchorId }),
    shortenedIds: tail.shortenedIds,
    omitted: tail.omitted,
  };
}

import { fallbackDetails } from "./fallback-details.ts";
import { payForSummary, summaryToCarry } from "./fallback-payment.ts";
import { type LeftOutOptions, leftOut } from "./left-out.ts";
import type { NoticeFacts } from "./notice-facts.ts";
import type { BuiltFallback, FallbackInput, FallbackPart, FallbackResult } from "./policy.ts";
import type { RecentTail } from "./recent-tail.ts";
import { shrinkingTails } from "./shrinking-tails.ts";
import { stillUncovered } from "./still-uncovered.ts";
import { summaryText } from "./summary-text.ts";
import { summaryTokens } from "./summary-tokens.ts";

/** What one policy puts into the frame that all policies with a recent window share. */
export interface RecentWindowParts<Ledger> {
  readonly id: string;
  /** The notice, inside its marks. More facts never make it shorter. */
  writeNotice(facts: NoticeFacts): string;
  /** Makes a ledger of what the tail leaves out: its data for `details.ledger`, its text for the notice. */
  readonly ledger?: {
    collect(input: FallbackInput, options: LeftOutOptions): Ledger | undefined;
    render(ledger: Ledger, options: { readonly maxTokens: number; countText(text: string): number }): string;
  };
}

const LEDGER_MAX_TOKENS = 2000;
/** A count of the whole may be a token more than the counts of its parts. */
const ROUNDING_TOKENS = 2;

/** A fallback that keeps the recent window: carried summary and notice as its summary, the window as its tail. */
export function buildRecentWindow<Ledger>(input: FallbackInput, parts: RecentWindowParts<Ledger>): FallbackResult {
  const { budgets, countTokens, mode } = input;
  const earlierSummary = summaryToCarry(input) !== "";
  // The notice is paid before the tail is known, so the longest one that may be written is.
  const longest: NoticeFacts = {
    earlierSummary,
    tail: true,
    anchor: mode === "active_turn",
    stopped: mode === "completed_turn",
    ledger: "",
  };
  const payment = payForSummary(input, { notice: parts.writeNotice(longest) });
  if (!payment.ok) return payment;

  const uncovered = stillUncovered(input);
  const hasEarlierLedger = input.previousDetails?.ledger !== undefined;
  const noticeTokens = (ledger: string) => summaryTokens(parts.writeNotice({ ...longest, ledger }), countTokens);
  const withoutLedger = noticeTokens("");
  const windowBudget = Math.max(0, Math.min(budgets.keepRecent, payment.leftTokens));
  const attempts = shrinkingTails(input, {
    windowTokens: windowBudget,
    ledgerShare: (tail, budgetTokens) =>
      parts.ledger !== undefined && (hasEarlierLedger || leftOut(input, { tail, uncovered }).length > 0)
        ? Math.min(LEDGER_MAX_TOKENS, Math.floor(budgetTokens / 8))
        : 0,
  });
  let tooLarge: FallbackPart = "notice";
  for (const { tail, ledgerTokens } of attempts) {
    if (tail.anchorId !== undefined) tooLarge = "anchor";
    const ledger = parts.ledger?.collect(input, { tail, uncovered });
    const ledgerText =
      ledger &&
      parts.ledger?.render(ledger, {
        maxTokens: ledgerTokens - ROUNDING_TOKENS,
        countText: (text) => noticeTokens(text) - withoutLedger,
      });
    const notice = parts.writeNotice({ earlierSummary, ...factsOf(tail, input), ledger: ledgerText ?? "" });
    const summary = summaryText(payment.carried, notice);
    if (summaryTokens(summary, countTokens) + tail.tokens > payment.roomTokens) continue;
    return {
      ok: true,
      summary,
      retainedTail: tail.messages,
      details: {
        ...fallbackDetails(input, { policy: parts.id, payment, uncovered, shape: "recent_window" }),
        ...(ledger !== undefined && { ledger }),
      },
      report: reportOf(tail, windowBudget),
    };
  }
  return { ok: false, tooLarge };
}

function factsOf(tail: RecentTail, { mode, shape }: FallbackInput): Pick<NoticeFacts, "tail" | "anchor" | "stopped"> {
  const last = tail.messages.at(-1);
  const lastRole = last === undefined ? undefined : shape.role(last);
  return {
    tail: last !== undefined,
    anchor: tail.anchorId !== undefined,
    stopped: mode === "completed_turn" && (lastRole === "user" || lastRole === "tool"),
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

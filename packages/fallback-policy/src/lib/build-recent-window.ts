import type { Message } from "@holdfast/message-schema";
import { divideRoom } from "./divide-room.ts";
import { fallbackDetails } from "./fallback-details.ts";
import type { RenderLedgerOptions } from "./ledger-1/render-ledger.ts";
import type { NoticeFacts } from "./notice-facts.ts";
import { outsideWindow } from "./outside-window.ts";
import type { BuiltFallback, FallbackInput, FallbackPart, FallbackResult } from "./policy.ts";
import type { RecentTail } from "./recent-tail.ts";
import { shrinkingTails } from "./shrinking-tails.ts";
import { stillUncovered } from "./still-uncovered.ts";
import { summaryText } from "./summary-text.ts";
import { summaryToCarry } from "./summary-to-carry.ts";
import { summaryTokens } from "./summary-tokens.ts";

/** What one policy puts into the frame that all policies with a recent window share. */
export interface RecentWindowParts<Ledger> {
  readonly id: string;
  /** The notice, inside its marks. More facts never make it shorter. */
  writeNotice(facts: NoticeFacts): string;
  /** Makes a ledger of the messages outside the window: its data for `details.ledger`, its text for the notice. */
  readonly ledger?: {
    collect(input: FallbackInput, outside: readonly Message[]): Ledger | undefined;
    render(ledger: Ledger, options: RenderLedgerOptions): string;
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
  const divided = divideRoom(input, { notice: parts.writeNotice(longest) });
  if (!divided.ok) return divided;

  const uncovered = stillUncovered(input);
  const hasEarlierLedger = input.previousDetails?.ledger !== undefined;
  const noticeTokens = (ledger: string) => summaryTokens(parts.writeNotice({ ...longest, ledger }), countTokens);
  const withoutLedger = noticeTokens("");
  const windowBudget = Math.max(0, Math.min(budgets.keepRecent, divided.tailTokens));
  const attempts = shrinkingTails(input, {
    windowTokens: windowBudget,
    ledgerShare: (tail, budgetTokens) =>
      parts.ledger !== undefined &&
      (hasEarlierLedger || outsideWindow(input, { tail, uncovered }).some(({ id }) => id !== tail.anchorId))
        ? Math.min(LEDGER_MAX_TOKENS, Math.floor(budgetTokens / 8))
        : 0,
  });
  let tooLarge: FallbackPart = "notice";
  for (const { tail, ledgerTokens } of attempts) {
    if (tail.anchorId !== undefined) tooLarge = "anchor";
    const outside = outsideWindow(input, { tail, uncovered });
    const ledger = parts.ledger?.collect(input, outside);
    const ledgerText =
      ledger &&
      parts.ledger?.render(ledger, {
        maxTokens: ledgerTokens - ROUNDING_TOKENS,
        countText: (text) => noticeTokens(text) - withoutLedger,
        anchorIsCounted: outside.some(({ id }) => id === tail.anchorId),
      });
    const notice = parts.writeNotice({ earlierSummary, ...factsOf(tail, input), ledger: ledgerText ?? "" });
    const summary = summaryText(divided.carried, notice);
    if (summaryTokens(summary, countTokens) + tail.tokens > divided.roomTokens) continue;
    return {
      ok: true,
      summary,
      retainedTail: tail.messages,
      details: {
        ...fallbackDetails(input, { policy: parts.id, divided, uncovered, shape: "recent_window" }),
        ...(ledger !== undefined && { ledger }),
      },
      report: reportOf(tail, windowBudget),
    };
  }
  return { ok: false, tooLarge };
}

function factsOf(tail: RecentTail, { mode, shape }: FallbackInput): Pick<NoticeFacts, "tail" | "anchor" | "stopped"> {
  // A note of the system answers nothing.
  const newest = tail.messages.map((message) => shape.role(message)).findLast((role) => role !== "system");
  return {
    tail: tail.messages.length > 0,
    anchor: tail.anchorId !== undefined,
    stopped: mode === "completed_turn" && (newest === "user" || newest === "tool"),
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

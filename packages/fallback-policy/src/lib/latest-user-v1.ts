import { divideRoom } from "./divide-room.ts";
import { fallbackDetails } from "./fallback-details.ts";
import { latestRequest } from "./latest-request.ts";
import { markedNotice } from "./marked-notice.ts";
import type { FallbackInput, FallbackPolicy, FallbackResult } from "./policy.ts";
import { shortenMessage } from "./shorten-message.ts";
import { stillUncovered } from "./still-uncovered.ts";
import { summaryText } from "./summary-text.ts";
import { summaryToCarry } from "./summary-to-carry.ts";

/**
 * `latest-user@1`: carried summary and recovery notice; an active turn keeps its request, a completed one nothing.
 * From record 0136.
 */
export const latestUserV1: FallbackPolicy = { id: "latest-user@1", build };

function build(input: FallbackInput): FallbackResult {
  const request = input.mode === "active_turn" ? latestRequest(input) : undefined;
  const notice = writeNotice({ earlierSummary: summaryToCarry(input) !== "", request: request !== undefined });
  const divided = divideRoom(input, { notice });
  if (!divided.ok) return divided;

  const maxTokens = Math.min(input.budgets.retainedUserMax, divided.tailTokens);
  const kept = request === undefined ? undefined : shortenMessage(input, request, maxTokens);
  if (kept !== undefined && input.countTokens.message(kept) > maxTokens) return { ok: false, tooLarge: "anchor" };
  return {
    ok: true,
    summary: summaryText(divided.carried, notice),
    retainedTail: kept === undefined ? [] : [kept],
    details: fallbackDetails(input, { policy: "latest-user@1", divided, uncovered: stillUncovered(input) }),
    report: {
      windowBudget: 0,
      ...(kept !== undefined && { anchorId: kept.id }),
      shortenedIds: kept === undefined || kept === request ? [] : [kept.id],
      omitted: [],
    },
  };
}

function writeNotice({ earlierSummary, request }: { earlierSummary: boolean; request: boolean }): string {
  const lines = [
    "Older messages of this conversation are not in your context: they were left out to make room.",
    earlierSummary
      ? "The summary above was written earlier and may not tell of everything that was left out."
      : "There is no earlier summary of them.",
  ];
  if (request)
    lines.push("The message that follows is the user's current request; what was done about it so far is missing.");
  lines.push("What you cannot see here you do not know: check the files as they are now or ask, and do not guess.");
  return markedNotice(lines);
}

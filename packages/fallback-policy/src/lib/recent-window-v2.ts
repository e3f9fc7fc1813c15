import { buildRecentWindow } from "./build-recent-window.ts";
import { markedNotice } from "./marked-notice.ts";
import type { NoticeFacts } from "./notice-facts.ts";
import type { FallbackPolicy } from "./policy.ts";

/**
 * `recent-window@2`: carried summary, recovery notice and the newest contiguous messages of every role; an active turn
 * also keeps its request. From record 0302.
 */
export const recentWindowV2: FallbackPolicy = {
  id: "recent-window@2",
  build: (input) => buildRecentWindow(input, { id: "recent-window@2", writeNotice }),
};

function writeNotice({ earlierSummary, tail, anchor, stopped }: NoticeFacts): string {
  const lines = [
    "Older messages of this conversation are not in your context: they were left out to make room.",
    earlierSummary
      ? "The summary above was written earlier and may not tell of everything that was left out."
      : "There is no earlier summary of them.",
  ];
  if (tail)
    lines.push("The messages that follow are the newest ones. Where one was shortened, a marker in it says so.");
  if (anchor)
    lines.push("The first of them is the user's current request; messages between it and the next one may be missing.");
  if (stopped)
    lines.push("The request they belong to was stopped before it was finished. Do not resume it unless the user asks.");
  lines.push("What you cannot see here you do not know: check the files as they are now or ask, and do not guess.");
  return markedNotice(lines);
}

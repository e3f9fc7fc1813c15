import type { UserMessage } from "@holdfast/message-schema";
import type { Checkpoint } from "./checkpoint.ts";

// Sent in every request: a changed byte would cost every conversation its prompt cache.
const heading = "Earlier messages of this conversation were compacted. What is known of them:";
const unreadable =
  "Earlier messages of this conversation were compacted by another tool, and the summary it made cannot be read here.";
const freshWindow =
  "Earlier messages of this conversation were set aside on purpose. A new context window begins here.";
const noText = "Earlier messages of this conversation are no longer in view, and there is no summary of them.";

/** What the message is made of: a checkpoint, or one that is being built. */
export type SummarySource = Pick<Checkpoint, "id" | "summary" | "details">;

/**
 * The message that stands for everything up to the checkpoint's boundary: in the user's role, since a list must begin
 * with it, and marked `injected`, since nobody asked it. There is always one, so a blank or unreadable summary becomes
 * a fixed line that says so. The same record gives the same bytes.
 */
export function summaryMessage(checkpoint: Pick<Checkpoint, "id" | "summary" | "details">): UserMessage {
  return { id: `summary:${checkpoint.id}`, role: "user", content: contentOf(checkpoint), origin: "injected" };
}

function contentOf({ summary, details }: Pick<Checkpoint, "summary" | "details">): string {
  if (summary === null) return unreadable;
  if (summary.trim() !== "") return `${heading}\n\n${summary.trim()}`;
  return details.strategy === "fresh_window" ? freshWindow : noText;
}

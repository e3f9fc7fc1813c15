import type { Message } from "@holdfast/message-schema";
import { sendableMessages } from "./sendable-messages.ts";
import { summaryMessage } from "./summary-message.ts";
import { type ContextSource, liveMessages } from "./transcript-range.ts";

/**
 * The messages of the next request, without leading system messages: the checkpoint's summary message, its tail, then
 * the transcript behind its boundary, in a form that a strict provider accepts. Without a checkpoint, or when its
 * boundary is not in the transcript, the whole transcript; then the first message may be an assistant's.
 *
 * The same input gives the same bytes, and between two checkpoints the list of one turn is a prefix of the next one's
 * (a call whose result arrives late apart), so a prompt cache stays warm. Messages that need no change are the same
 * objects. Cost: linear in what is returned; before the boundary nothing is read.
 */
export function rebuildContext(source: ContextSource): Message[] {
  const { tail, newer, hasBoundary } = liveMessages(source);
  const messages = sendableMessages([...tail, ...newer]);
  return source.checkpoint !== undefined && hasBoundary
    ? [summaryMessage(source.checkpoint), ...messages]
    : [...messages];
}

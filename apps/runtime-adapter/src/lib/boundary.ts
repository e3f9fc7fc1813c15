import type { RetainedTailMode } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import type { CompactionTrigger } from "./compaction-plan.ts";

/** Where a compaction cuts the transcript. */
export interface Boundary {
  /** Index of the last message the checkpoint stands for; -1 when every message stays behind the boundary. */
  readonly index: number;
  readonly mode: RetainedTailMode;
}

/**
 * User messages at the end of the list stay behind the boundary, and so does the newest exchange while it has open
 * calls. After an overflow the boundary is the end of the list: the prompt that overflowed may have to be shortened.
 */
export function findBoundary(transcript: readonly Message[], trigger: CompactionTrigger): Boundary {
  if (trigger === "overflow") return { index: transcript.length - 1, mode: "active_turn" };
  const index = Math.min(beforeTrailingPrompts(transcript), beforeOpenExchange(transcript));
  const last = transcript[index];
  const requestBehind = transcript.slice(index + 1).some(isRequest);
  const turnEnded = last !== undefined && isTurnEnd(last);
  const mayComplete = requestBehind || trigger === "manual" || trigger === "end_turn";
  return { index, mode: turnEnded && mayComplete ? "completed_turn" : "active_turn" };
}

/** A request of the user, as opposed to text that a tool put into the user's role. */
export function isRequest(message: Message): boolean {
  return message.role === "user" && message.origin !== "injected";
}

/** An assistant message that ended in an error, was aborted or is deferred: kept in the transcript, never sent again. */
export function isDiscarded(message: Message): boolean {
  return (
    message.role === "assistant" &&
    (message.stopReason === "error" || message.stopReason === "aborted" || message.stopReason === "deferred")
  );
}

function isTurnEnd(message: Message): boolean {
  if (message.role !== "assistant") return false;
  return isDiscarded(message) || !message.content.some((part) => part.type === "toolCall");
}

function beforeTrailingPrompts(transcript: readonly Message[]): number {
  return transcript.findLastIndex((message) => message.role === "assistant" || message.role === "toolResult");
}

function beforeOpenExchange(transcript: readonly Message[]): number {
  const newest = transcript.findLastIndex((message) => message.role === "assistant" && !isDiscarded(message));
  const message = transcript[newest];
  if (message?.role !== "assistant") return transcript.length - 1;
  const open = message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
  for (const later of transcript.slice(newest + 1)) {
    const answered = later.role === "toolResult" ? open.indexOf(later.toolCallId) : -1;
    if (answered >= 0) open.splice(answered, 1);
  }
  return open.length > 0 ? newest - 1 : transcript.length - 1;
}

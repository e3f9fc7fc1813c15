import { type AssistantMessage, type Message, shape } from "@holdfast/message-schema";
import { selectTailWindow } from "@holdfast/tail-window";
import type { Checkpoint } from "./checkpoint.ts";
import type { CheckpointDiagnostic } from "./checkpoint-diagnostic.ts";

export interface NormalizedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly diagnostics: readonly CheckpointDiagnostic[];
}

/**
 * The record with the tail that is replayed, whatever tail is stored. The first row that matches:
 *
 * | strategy | mode | shape marker | replayed tail |
 * | --- | --- | --- | --- |
 * | `fresh_window` | any | any | empty |
 * | any | any | `recent_window` | as stored, pairing repaired, `usage` cleared |
 * | any | `completed_turn`, not a fallback | none or other | empty |
 * | any | all else | none or other | the latest request message of the stored tail, else empty |
 *
 * Only the marker brings back more than one message: without it a row of old requests would look executable. Normalizing
 * twice is normalizing once; a tail that needs no change is the same array of the same objects.
 */
export function normalizeCheckpoint(checkpoint: Checkpoint): NormalizedCheckpoint {
  const stored = checkpoint.retainedTail;
  const { tail, why } = replayedTail(checkpoint);
  if (tail.length === stored.length && tail.every((message, index) => message === stored[index])) {
    return { checkpoint, diagnostics: [] };
  }
  const normalized = { ...checkpoint, retainedTail: tail };
  const leftOut = stored.length - tail.length;
  if (leftOut === 0) return { checkpoint: normalized, diagnostics: [] };
  const message = `${leftOut} of ${stored.length} stored tail messages are not replayed: ${why}`;
  const code = isRecentWindow(checkpoint) ? "tail_repaired" : "tail_ignored";
  return {
    checkpoint: normalized,
    diagnostics: [{ code, checkpointId: checkpoint.id, field: "retainedTail", message }],
  };
}

function isRecentWindow({ details }: Checkpoint): boolean {
  return details.strategy !== "fresh_window" && details.retainedTailShape === "recent_window";
}

function replayedTail(checkpoint: Checkpoint): { readonly tail: readonly Message[]; readonly why: string } {
  const { details, retainedTail } = checkpoint;
  if (details.strategy === "fresh_window") {
    return { tail: [], why: "a fresh window carries none" };
  }
  if (isRecentWindow(checkpoint)) {
    return { tail: repairPairing(retainedTail).map(withoutUsage), why: "a provider would refuse them" };
  }
  if (details.retainedTailMode === "completed_turn" && details.fallback === undefined) {
    return { tail: [], why: "the turn was completed, so the summary speaks for it" };
  }
  const latest = retainedTail.findLast(shape.isRequest);
  return { tail: latest === undefined ? [] : [latest], why: "only the latest request is, without the window's marker" };
}

/** Everything a provider would refuse to pair is out; the rest are the same objects. */
export function repairPairing(messages: readonly Message[]): readonly Message[] {
  return selectTailWindow(messages, { budgetTokens: Number.POSITIVE_INFINITY, countTokens: () => 0, shape }).messages;
}

/** Usage from before a checkpoint measured another context and would start a compaction at once. */
function withoutUsage(message: Message): Message {
  if (message.role !== "assistant" || message.usage === undefined) return message;
  const { usage: _, ...rest } = message;
  return rest satisfies AssistantMessage;
}

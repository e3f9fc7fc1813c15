import { checkedRole } from "./checked-input.ts";
import type { MessageRole } from "./message-shape.ts";
import type { Source } from "./source.ts";
import type { OmissionReason } from "./tail-window.ts";

/** A message that was read, and what is kept of it so far: more, once the calls of more of its results are found. */
export interface Entry<M> {
  readonly index: number;
  readonly message: M;
  readonly role: MessageRole;
  readonly callIds: readonly string[];
  /** Results whose calls were not found in the window. */
  openResultIds: readonly string[];
  /** Why it is left out if nothing is kept of it. */
  reason: OmissionReason;
  kept?: M | undefined;
  keptTokens: number;
  isShortened: boolean;
}

export function readEntry<M>(index: number, { messages, shape, pins, count }: Source<M>): Entry<M> {
  const original = messages[index] as M;
  const role = checkedRole(original, index, shape);
  const message = shape.withoutBlankText?.(original) ?? original;
  const isDiscarded = shape.isDiscarded?.(message);
  const callIds = shape.toolCallIds(message);
  const openResultIds = isDiscarded ? [] : shape.toolResultIds(message);
  const kept = pins.get(index);
  return {
    index,
    message,
    role,
    callIds,
    openResultIds,
    reason: isDiscarded
      ? "discarded"
      : callIds.length > 0
        ? "unanswered_call"
        : openResultIds.length > 0
          ? "orphaned_result"
          : "empty",
    kept,
    keptTokens: kept === undefined ? 0 : count(kept, index),
    isShortened: false,
  };
}

import { checkedRole } from "./checked-input.ts";
import type { MessageRole, MessageShape } from "./message-shape.ts";
import type { OmissionReason } from "./tail-window.ts";

/** A list that is selected from, and how to look at it. */
export interface Source<M> {
  readonly messages: readonly M[];
  /** Index of the first message behind the leading system messages. */
  readonly firstIndex: number;
  readonly shape: MessageShape<M>;
  /** Tokens of the message at the index or of a form of it. Counts each object once. */
  readonly count: (message: M, index: number) => number;
  readonly mayShorten: boolean;
}

/** A message that is kept by itself, whatever the window holds. */
export interface Alone<M> {
  readonly message: M;
  readonly tokens: number;
  readonly isShortened: boolean;
}

/** A message that was read, and what is kept of it so far: more, once the calls of more of its results are found. */
export interface Entry<M> {
  readonly index: number;
  readonly message: M;
  readonly role: MessageRole;
  readonly isDiscarded: boolean;
  /** Calls whose results, and results whose calls, were not found. */
  readonly openCallIds: string[];
  readonly openResultIds: string[];
  /** What is left of it without the open calls and results, for those that were asked about. */
  readonly remainders: Map<string, M | undefined>;
  /** Why it is left out if nothing of it is kept. */
  reason: OmissionReason;
  kept?: M | undefined;
  /** What was paid for it. */
  tokens: number;
  isShortened: boolean;
}

/** Reads the message at the index. A pinned one is kept and paid for already. */
export function readEntry<M>(index: number, { messages, shape }: Source<M>, pin: Alone<M> | undefined): Entry<M> {
  const original = messages[index] as M;
  const message = pin?.message ?? shape.withoutBlankText?.(original) ?? original;
  const isDiscarded = shape.isDiscarded?.(message) ?? false;
  const openCallIds = [...shape.toolCallIds(message)];
  const openResultIds = isDiscarded ? [] : [...shape.toolResultIds(message)];
  let reason: OmissionReason = "empty";
  if (openResultIds.length > 0) reason = "orphaned_result";
  if (openCallIds.length > 0) reason = "unanswered_call";
  if (isDiscarded) reason = "discarded";
  return {
    index,
    message,
    role: checkedRole(original, index, shape),
    isDiscarded,
    openCallIds,
    openResultIds,
    remainders: new Map(),
    reason,
    kept: pin?.message,
    tokens: pin?.tokens ?? 0,
    isShortened: pin?.isShortened ?? false,
  };
}

import { checkedRole } from "./checked-input.ts";
import type { MessageShape } from "./message-shape.ts";
import type { OmissionReason } from "./tail-window.ts";

/** A list that is selected from, how to look at it, and what may still be spent. */
export interface Selection<M> {
  readonly messages: readonly M[];
  /** Index of the first message behind the leading system messages. */
  readonly firstIndex: number;
  readonly shape: MessageShape<M>;
  /** Tokens of the message at the index or of a form of it. Counts each object once. */
  readonly count: (message: M, index: number) => number;
  readonly budgetTokens: number;
  leftTokens: number;
}

/** A call or a result. Where a result has found its call, both messages have the same link. */
export interface Link<M> {
  readonly id: string;
  caller?: Entry<M>;
  answerer?: Entry<M> | undefined;
  /** Whoever is sent the list runs the call, with its arguments, before anything else. */
  readonly isAboutToRun?: boolean;
  /** Both are kept. A call or a result that is not paired is taken out of its message. */
  isPaired?: boolean;
}

/** A message that was read, and what is kept of it so far: more, once the calls of more of its results are found. */
export interface Entry<M> {
  /** -1 for an anchor that is not of the list. */
  readonly index: number;
  readonly original: M;
  /** Without blank text; nothing of a discarded message. */
  readonly message: M | undefined;
  calls: readonly Link<M>[];
  readonly results: readonly Link<M>[];
  /** Why nothing of it is kept, if that is so. */
  reason: OmissionReason;
  kept: M | undefined;
  isShortened: boolean;
  /** What is paid for it, which may be before it is kept. */
  tokens: number;
}

export function readEntry<M>(original: M, index: number, { shape }: Selection<M>): Entry<M> {
  checkedRole(original, index, shape);
  const isDiscarded = shape.isDiscarded?.(original);
  const calls = shape.toolCallIds(original).map((id) => ({ id }));
  const results = isDiscarded ? [] : shape.toolResultIds(original).map((id) => ({ id }));
  const message = isDiscarded ? undefined : (shape.withoutBlankText?.(original) ?? original);
  let reason: OmissionReason = "empty";
  if (results.length > 0) reason = "orphaned_result";
  if (calls.length > 0) reason = "unanswered_call";
  if (isDiscarded) reason = "discarded";
  return { index, original, message, calls, results, reason, kept: undefined, isShortened: false, tokens: 0 };
}

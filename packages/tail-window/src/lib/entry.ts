import { checkedRole } from "./checked-input.ts";
import type { MessageShape } from "./message-shape.ts";
import type { OmissionReason } from "./tail-window.ts";

/** A call or a result. Where a result has found its call, both messages have the same link. */
export interface Link<M> {
  readonly id: string;
  caller?: Entry<M>;
  answerer?: Entry<M>;
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
  /** The last call first. */
  calls: readonly Link<M>[];
  readonly results: readonly Link<M>[];
  /** Its calls are run with their arguments as soon as the list is sent: it is never shortened. */
  isAboutToRun?: boolean;
  /** Why nothing of it is kept, if that is so. */
  reason: OmissionReason;
  kept?: M;
  isShortened?: boolean;
  /** What is paid for it, which may be before it is kept. */
  tokens: number;
}

/** Messages that belong together with the results of their calls, newest first, and those calls. */
export interface Unit<M> {
  readonly entries: readonly Entry<M>[];
  readonly links: readonly Link<M>[];
}

export function readEntry<M>(original: M, index: number, shape: MessageShape<M>): Entry<M> {
  checkedRole(original, index, shape);
  const isDiscarded = shape.isDiscarded?.(original);
  const toLink = (id: string): Link<M> => ({ id });
  const calls = shape.toolCallIds(original).map(toLink).reverse();
  const results = isDiscarded ? [] : shape.toolResultIds(original).map(toLink);
  const message = isDiscarded ? undefined : (shape.withoutBlankText?.(original) ?? original);
  const reason = isDiscarded ? "discarded" : calls[0] ? "unanswered_call" : results[0] ? "orphaned_result" : "empty";
  return { index, original, message, calls, results, reason, tokens: 0 };
}

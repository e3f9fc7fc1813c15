import type { CountTokens, MessageShape } from "./message-shape.ts";

export interface SelectOptions<M> {
  /** What the returned messages may count in tokens, leading system messages aside. `Infinity` repairs a list. */
  readonly budgetTokens: number;
  readonly countTokens: CountTokens<M>;
  readonly shape: MessageShape<M>;
  /** Kept ahead of the window when the window does not hold it. Default: none. */
  readonly anchor?: "latest-request" | { readonly index: number } | { readonly message: M } | undefined;
  /** Upper bound of the anchor in tokens. Default and upper bound: a third of the budget, at most 20,000. */
  readonly anchorMaxTokens?: number | undefined;
  /** Messages the caller keeps whatever their age, for example developer messages in mid-conversation. */
  readonly pinned?: ((message: M) => boolean) | undefined;
}

export type OmissionReason = "discarded" | "orphaned_result" | "unanswered_call" | "empty" | "budget";

/** A message inside the window's span that was left out, by its index in the input. */
export interface Omission {
  readonly index: number;
  readonly reason: OmissionReason;
}

export interface TailWindow<M> {
  /** Leading system messages, the anchor if it was needed, the window: elements of the input, or shortened ones. */
  readonly messages: M[];
  /** Everything returned but leading system messages. */
  readonly tokens: number;
  /** Index in the input of the window's first message; the length of the input when the window is empty. */
  readonly startIndex: number;
  /** Index in the input of the anchor, when it stands ahead of the window. */
  readonly anchorIndex?: number;
  readonly omitted: readonly Omission[];
  /** Indexes in the input of the messages that were shortened; -1 for an anchor that is not of the input. */
  readonly shortened: readonly number[];
  /** Indexes, likewise, of the messages that lost a call, a result, reasoning or blank text, and were not shortened. */
  readonly repaired: readonly number[];
}

export interface PairingProblem {
  readonly kind: "orphaned_result" | "unanswered_call";
  readonly index: number;
  readonly toolCallId: string;
}

import type { OmissionReason } from "./tail-window.ts";

/** A call or a result. Where a result has found its call, both messages have the same link. */
export interface Link<M> {
  readonly id: string;
  /** The message that answers the call, also after the call was taken out. */
  answer?: Entry<M>;
  /** Whose call it is, while both it and its answer can be kept. What has no caller is taken out of its message. */
  caller?: Entry<M> | undefined;
}

/** A message that was read, and what is kept of it so far: more, once the calls of more of its results are found. */
export interface Entry<M> {
  /** -1 for an anchor that is not of the list. */
  readonly index: number;
  readonly original: M;
  /** Without blank text; nothing of a discarded message. */
  readonly message: M | undefined;
  /** The message without its reasoning, once it was asked for: made once, so that it is counted once. */
  bare?: M | undefined;
  /** The last call first. */
  calls: readonly Link<M>[];
  readonly results: readonly Link<M>[];
  /** Why nothing of it is kept, if that is so. */
  reason: OmissionReason;
  /** 0 when its calls are run with their arguments as soon as the list is sent: it is never shortened. */
  rank: number;
  kept?: M;
  shortened?: boolean;
  /** What is paid for it, which may be before it is kept. */
  tokens: number;
}

/** A message of which something can be kept, and its claim to what is left where all of its unit are at their shortest. */
export interface Fit<M> extends Entry<M> {
  /** What is not paired is taken out, and nothing is shortened. */
  long: M;
  /** Tokens above its shortest form. */
  wanted: number;
  /** Tokens of its shortest form, and what it got of those it wanted. */
  given: number;
}

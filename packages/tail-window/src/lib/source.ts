import type { MessageShape } from "./message-shape.ts";

/** A list that is selected from, and how to look at it. */
export interface Source<M> {
  readonly messages: readonly M[];
  /** Index of the first message behind the leading system messages. */
  readonly firstIndex: number;
  readonly shape: MessageShape<M>;
  /** Tokens of the message at the index or of a form of it. Counts each object once. */
  readonly count: (message: M, index: number) => number;
  /** What is kept of the pinned messages, by index. It is paid for. */
  readonly pins: ReadonlyMap<number, M>;
}

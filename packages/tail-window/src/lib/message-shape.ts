/** What a message is to the selector. A developer message is `system`; a tool result is `tool`. */
export type MessageRole = "system" | "user" | "assistant" | "tool";

/** Tokens of one message. Called with elements of the list or with what `shorten` and its kind return. */
export type CountTokens<M> = (message: M) => number;

/**
 * How the selector reads one library's messages. Every function is pure and leaves its message as it was; a function
 * that returns a message returns the same object when nothing had to change.
 */
export interface MessageShape<M> {
  role(message: M): MessageRole;
  /** Ids of the tool calls the message makes, in order; `[]` for none. Equal ids stand as often as they occur. */
  toolCallIds(message: M): readonly string[];
  /** Ids of the tool calls the message answers, in order; `[]` for none. A user message may answer calls. */
  toolResultIds(message: M): readonly string[];
  /** The message ended in an error, was aborted or is deferred: it and its results are never sent again. */
  isDiscarded?(message: M): boolean;
  /** Nothing in it could be sent: blank, or only reasoning. */
  isEmpty?(message: M): boolean;
  /** A request of the user, as opposed to reminders and other text put into the user's role. Default: role `user` without results. */
  isRequest?(message: M): boolean;
  /** The provider wants this message and the next one together (a reasoning item and its call). */
  joinsNext?(message: M): boolean;
  /** The message in at most `maxTokens` if its parts allow it, else as short as they allow. */
  shorten?(message: M, maxTokens: number, countTokens: CountTokens<M>): M;
  withoutToolCalls?(message: M, ids: readonly string[]): M;
  withoutToolResults?(message: M, ids: readonly string[]): M;
}

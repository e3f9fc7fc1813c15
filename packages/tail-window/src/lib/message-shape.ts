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
  /** The provider wants this message and the next one together (a reasoning item and its call), if both are the assistant's. */
  joinsNext?(message: M, next: M): boolean;
  /** Ids of the calls of `message` that whoever is sent the list answers first, because the last message says so (an approval). */
  answeredOnSend?(message: M, lastMessage: M): readonly string[];
  /** The message in at most `maxTokens` if its parts allow it, else as short as they allow. `0` asks for the shortest form. */
  shorten?(message: M, maxTokens: number, countTokens: CountTokens<M>): M;
  /** Each id names one call to take out, as often as it stands in `ids`; of calls with equal ids the last ones go. */
  withoutToolCalls?(message: M, ids: readonly string[]): M;
  /** Each id names one result to take out, as often as it stands in `ids`; of results with equal ids the last ones go. */
  withoutToolResults?(message: M, ids: readonly string[]): M;
  /** The message with all its reasoning left out and valid without it; `undefined` when it is nothing but reasoning. */
  withoutReasoning?(message: M): M | undefined;
  /** The message without blank text parts, which providers refuse; a blank tool result says that there was no output. */
  withoutBlankText?(message: M): M;
}

/** A shape that serves every message type with at least the fields of `Base`, and gives that very type back. */
export interface ShapeOf<Base> {
  role(message: Base): MessageRole;
  toolCallIds(message: Base): readonly string[];
  toolResultIds(message: Base): readonly string[];
  isDiscarded?(message: Base): boolean;
  isEmpty(message: Base): boolean;
  isRequest?(message: Base): boolean;
  joinsNext?(message: Base, next: Base): boolean;
  answeredOnSend?(message: Base, lastMessage: Base): readonly string[];
  shorten<M extends Base>(message: M, maxTokens: number, countTokens: CountTokens<M>): M;
  withoutToolCalls?<M extends Base>(message: M, ids: readonly string[]): M;
  withoutToolResults?<M extends Base>(message: M, ids: readonly string[]): M;
  withoutReasoning<M extends Base>(message: M): M | undefined;
  withoutBlankText<M extends Base>(message: M): M;
}

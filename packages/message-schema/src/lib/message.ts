import type { ImagePart, OpaquePart, TextPart, ThinkingPart, ToolCallPart } from "./parts.ts";

interface MessageBase {
  /** Unique in its transcript. Readers mint it from the position where a file has none. */
  readonly id: string;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly timestamp?: number | undefined;
}

/** What a user or system message may hold. */
export type UserContentPart = TextPart | ImagePart | OpaquePart;

/** What an assistant message may hold. */
export type AssistantContentPart = TextPart | ThinkingPart | ToolCallPart | OpaquePart;

/** What a tool result may hold. */
export type ToolResultContentPart = TextPart | ImagePart | OpaquePart;

export interface SystemMessage extends MessageBase {
  readonly role: "system";
  readonly content: string | readonly UserContentPart[];
  readonly origin?: "injected" | undefined;
}

/**
 * A message in the user's role. It is a request of the user unless `origin` is `"injected"`: reminders, hook and
 * shell output, interrupt notices, project context and the like, which a tool put into the user's role.
 */
export interface UserMessage extends MessageBase {
  readonly role: "user";
  readonly content: string | readonly UserContentPart[];
  readonly origin?: "injected" | undefined;
}

/**
 * How an assistant message ended. `error`, `aborted` and `deferred` messages stay in the transcript and are never
 * sent again.
 */
export type StopReason = "stop" | "toolUse" | "length" | "error" | "aborted" | "deferred" | "refusal";

/** Tokens as the provider reported them. `totalTokens` is the size of the context after the message. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
}

export interface AssistantMessage extends MessageBase {
  readonly role: "assistant";
  readonly content: readonly AssistantContentPart[];
  readonly stopReason: StopReason;
  readonly usage?: Usage | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

/** The answer to one tool call. */
export interface ToolResultMessage extends MessageBase {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly ToolResultContentPart[];
  readonly isError: boolean;
}

/** One message of a transcript, told apart by `role`. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

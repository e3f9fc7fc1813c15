import type { CheckpointStore } from "@holdfast/checkpoint-store";
import type { Clock, SummaryModel } from "@holdfast/chunked-summarizer";
import type { FallbackPolicy, FallbackPolicyId } from "@holdfast/fallback-policy";
import type { Message } from "@holdfast/message-schema";
import type { CompactionStrategy } from "./compaction-plan.ts";
import type { CompactionReport } from "./compaction-report.ts";

/** The model the conversation runs on. */
export interface ConversationModel {
  /** Tokens. Unknown (absent, or `null` as catalogues write it): guessed as 32,768, and then no request is refused. */
  readonly contextWindow?: number | null | undefined;
  /** Tokens. Unknown: a quarter of the window, at most 16,384. */
  readonly maxOutputTokens?: number | null | undefined;
  readonly providerId?: string | undefined;
  readonly modelId?: string | undefined;
}

/**
 * Counts tokens, 0 or more, at once: `createTokenCounter` (await it) and `createEstimator` of `@holdfast/token-counter`
 * make one. Anything else that it returns is thrown to the host by name, as misuse.
 */
export interface Counter {
  countText(text: string): number;
  countMessage(message: Message): number;
}

export interface CompactorOptions {
  readonly model: ConversationModel;
  /** May be a cheaper model than the conversation's: its own window decides the number of requests. */
  readonly summaryModel: SummaryModel;
  readonly counter: Counter;
  readonly store: CheckpointStore;
  /** Not empty. Conversations with one id share one chain of checkpoints. */
  readonly conversationId: string;
  /** The id of a published policy, or one that `definePolicy` made. Default: `recent-window@2`. */
  readonly policy?: FallbackPolicyId | FallbackPolicy | undefined;
  /** Default: `summary`. `fresh_window` asks no model and gives the range up on purpose. */
  readonly strategy?: CompactionStrategy | undefined;
  /** What to add to the summary prompt. */
  readonly instructions?: string | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Spreads the waits before a summary request is sent again: from 0 up to 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

export interface RequestInput {
  /**
   * The whole transcript, append-only, ids unique: a `TypeError` says what is no message. Leading system messages are
   * sent first and never compacted. Empty: nothing to compact, and an empty request.
   */
  readonly messages: readonly Message[];
  /** System prompt sent beside `messages`. */
  readonly system?: string | undefined;
  /** Tool schemas as they are sent; counted as JSON. */
  readonly tools?: readonly unknown[] | undefined;
  /** Tokens of system prompt and tools, instead of counting `system` and `tools`. */
  readonly overheadTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * The transcript as it stands when a checkpoint is about to be stored. A checkpoint whose boundary is no longer in it
   * (the user went back meanwhile) is not stored. Default: `messages` still holds.
   */
  readonly currentMessages?: (() => readonly Message[]) | undefined;
}

export type PreparedRequest =
  | {
      readonly kind: "send";
      /** Leading system messages, then what a provider accepts: starts in the user's role, pairs whole. */
      readonly messages: readonly Message[];
      /** Add it as the last block of this one request; do not store it. */
      readonly reminder?: string | undefined;
      readonly tokens: number;
      /** No request is sent at or above it; `Infinity` with a guessed window. */
      readonly limit: number;
      readonly maxOutputTokens: number;
      /**
       * After an overflow: the answer this request replaces. Mark it in the transcript as ended in `error`, so that a
       * restart leaves it out as well.
       */
      readonly supersededMessageId?: string | undefined;
      readonly compaction?: CompactionReport | undefined;
    }
  | {
      readonly kind: "refused";
      /** What is too large. Whether that could have been compacted away is in `compaction`. */
      readonly reason: "overhead_too_large" | "prompt_too_large";
      readonly tokens: number;
      readonly limit: number;
      /** With the outcome `store_failed` the prompt is not to blame: a checkpoint could not be stored or read (`cause`). */
      readonly compaction?: CompactionReport | undefined;
    }
  | { readonly kind: "aborted" };

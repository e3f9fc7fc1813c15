import type { CheckpointDetails, RetainedTailMode, UncoveredInterval } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import type { MessageShape } from "@holdfast/tail-window";
import type { Budgets } from "./budgets.ts";

/** Why there is no summary. The vocabulary is closed: never provider error text, never a fifth word. */
export type FailureReason = "no_new_history" | "summary_budget" | "summary_provider" | "checkpoint_oversized";

export interface FallbackInput {
  /** Every message of the conversation, without leading system messages. */
  readonly transcript: readonly Message[];
  /** The previous checkpoint's retained tail, then the messages after its boundary, up to the new boundary. */
  readonly windowRange: readonly Message[];
  /** Every transcript message up to the new boundary that no summary has read. */
  readonly summaryRange: readonly Message[];
  readonly mode: RetainedTailMode;
  /** The newest summary a model wrote, unshortened, notices removed; none after `fresh_window`. */
  readonly carriedSummary?: string | undefined;
  readonly failureReason: FailureReason;
  readonly budgets: Budgets;
  /** Tokens of the system prompt, the tool schemas and everything behind the boundary. */
  readonly overheadTokens: number;
  readonly countTokens: { text(text: string): number; message(message: Message): number };
  readonly shape: MessageShape<Message>;
  readonly previousDetails?: CheckpointDetails | undefined;
  /** What a chain of summary requests achieved before it failed. It becomes the carried summary. */
  readonly partial?: { readonly summary: string; readonly coveredThrough: string } | undefined;
}

export type FallbackResult =
  | {
      readonly ok: true;
      readonly summary: string;
      readonly retainedTail: readonly Message[];
      readonly details: CheckpointDetails;
      /** What the tail's messages are, for reports: nothing of it is stored. */
      readonly report: {
        readonly windowBudget: number;
        readonly anchorId?: string | undefined;
        readonly shortenedIds: readonly string[];
        readonly omitted: readonly { readonly id: string; readonly reason: string }[];
      };
    }
  | { readonly ok: false; readonly tooLarge: "overhead" | "notice" | "anchor" };

/** Versioned and frozen: a change of behaviour is a new id. Pure: the same input gives the same bytes. */
export interface FallbackPolicy {
  readonly id: string;
  build(input: FallbackInput): FallbackResult;
}

export type { UncoveredInterval };

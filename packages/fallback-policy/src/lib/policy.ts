import type { CheckpointDetails, RetainedTailMode } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import type { MessageShape } from "@holdfast/tail-window";
import type { Budgets } from "./budgets.ts";
import type { FailureReason } from "./failure-reason.ts";

export interface FallbackInput {
  /** Every message of the conversation, without leading system messages. */
  readonly transcript: readonly Message[];
  /** The previous checkpoint's retained tail, then the messages after its boundary, up to the new boundary. */
  readonly windowRange: readonly Message[];
  /** Every transcript message up to the new boundary that no summary has read, in transcript order. */
  readonly summaryRange: readonly Message[];
  readonly mode: RetainedTailMode;
  /**
   * The newest summary a model wrote, unshortened, notices removed; none after `fresh_window`. For
   * `checkpoint_oversized` it is the summary that was too large.
   */
  readonly carriedSummary?: string | undefined;
  readonly failureReason: FailureReason;
  readonly budgets: Budgets;
  /** Tokens of the system prompt, the tool schemas and everything behind the boundary. */
  readonly overheadTokens: number;
  readonly countTokens: { text(text: string): number; message(message: Message): number };
  readonly shape: MessageShape<Message>;
  readonly previousDetails?: CheckpointDetails | undefined;
  /**
   * What a chain of summary requests achieved before it failed. It becomes the carried summary, unless nothing is left
   * of it without notices.
   */
  readonly partial?: { readonly summary: string; readonly coveredThrough: string } | undefined;
  /** Version of the prompts this attempt asked with; recorded when its text, partial or oversized, is carried. */
  readonly promptVersion?: string | undefined;
}

/**
 * What is too large for a fallback to be built: the `overhead` with all that stays behind the boundary, the `notice` the
 * policy has to write, or the request kept as the `anchor`, even at its shortest.
 */
export type FallbackPart = "overhead" | "notice" | "anchor";

export interface BuiltFallback {
  readonly ok: true;
  readonly summary: string;
  /** Valid for a strict provider: pairs whole, old `usage` gone. */
  readonly retainedTail: readonly Message[];
  readonly details: CheckpointDetails;
  /** What was chosen for the tail, for reports: nothing of it is stored. */
  readonly report: FallbackReport;
}

export interface FallbackReport {
  /** Tokens the window had, anchor and ledger included; 0 when the policy keeps no window. */
  readonly windowBudget: number;
  /** Id of the request message kept ahead of the window. */
  readonly anchorId?: string | undefined;
  readonly shortenedIds: readonly string[];
  /** Messages inside the window's span that were left out. */
  readonly omitted: readonly { readonly id: string; readonly reason: string }[];
}

export type FallbackResult = BuiltFallback | { readonly ok: false; readonly tooLarge: FallbackPart };

/** Versioned and frozen: a change of behaviour is a new id. Pure: the same input gives the same bytes. */
export interface FallbackPolicy {
  /** A name, an at sign and a version, for example `recent-window@2`. Every checkpoint the policy builds records it. */
  readonly id: string;
  build(input: FallbackInput): FallbackResult;
}

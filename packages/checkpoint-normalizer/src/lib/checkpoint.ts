import type { Message } from "@holdfast/message-schema";

/** Whether the task goes on after the compaction (`active_turn`) or had ended (`completed_turn`). */
export type RetainedTailMode = "active_turn" | "completed_turn";

/** Messages that no summary has read, both ends included, by message id. */
export interface UncoveredInterval {
  readonly from: string;
  readonly through: string;
}

/** Opaque to stores. Unknown fields are kept; an unknown word of a later version is kept and reported. */
export interface CheckpointDetails {
  /** Counts the checkpoints of a conversation, from 1; 0 when an old record does not say. */
  readonly generation: number;
  readonly strategy?: "summary" | "fresh_window" | (string & {}) | undefined;
  readonly readFiles?: readonly string[] | undefined;
  readonly modifiedFiles?: readonly string[] | undefined;
  readonly retainedTailMode?: RetainedTailMode | (string & {}) | undefined;
  readonly retainedTailShape?: "recent_window" | (string & {}) | undefined;
  readonly fallback?: "retained_tail" | (string & {}) | undefined;
  readonly failureReason?: string | undefined;
  /** Id of the policy that built a fallback. */
  readonly policy?: string | undefined;
  /** What no summary has read. Absent is unknown (it is computed from the chain), `[]` is nothing. */
  readonly uncovered?: readonly UncoveredInterval[] | undefined;
  /** The summary a model wrote, unshortened, when `summary` holds a shortened one. Blank: none, whatever `summary` says. */
  readonly carriedSummary?: string | undefined;
  readonly promptVersion?: string | undefined;
  readonly calibration?: number | undefined;
  readonly [field: string]: unknown;
}

export interface CheckpointUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly incomplete: boolean;
}

/** The durable record of one compaction. Field names are those of the system the record comes from. */
export interface Checkpoint {
  /** Version of the record's layout; absent means 1, the only one so far. */
  readonly version?: number | undefined;
  readonly id: string;
  /** `null`: the record's summary cannot be read; what stood there is in `opaque`. */
  readonly summary: string | null;
  readonly opaque?: unknown;
  readonly firstKeptMessageId?: string | undefined;
  /** The boundary: the last message of the transcript the record stands for. */
  readonly throughMessageId: string;
  readonly tokensBefore: number;
  readonly usage?: CheckpointUsage | null | undefined;
  readonly retainedTail: readonly Message[];
  readonly details: CheckpointDetails;
  readonly providerId?: string | undefined;
  readonly modelId?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
}

import { type CheckpointDetails, mergeFileLists, type UncoveredInterval } from "@holdfast/checkpoint-normalizer";
import type { FallbackPayment } from "./fallback-payment.ts";
import type { FallbackInput } from "./policy.ts";
import { fileLists } from "./touched-files.ts";

export interface FallbackDetailsOptions {
  /** Id of the policy. */
  readonly policy: string;
  readonly payment: FallbackPayment;
  /** What no summary has read once the fallback stands. */
  readonly uncovered: readonly UncoveredInterval[];
  /** Says how the tail is read back; none: as its latest request message alone. */
  readonly shape?: "recent_window" | undefined;
}

/** The details every fallback records. What describes the chain as a whole is carried on from the record before. */
export function fallbackDetails(
  input: FallbackInput,
  { policy, payment, uncovered, shape }: FallbackDetailsOptions,
): CheckpointDetails {
  const previous = input.previousDetails;
  const { readFiles, modifiedFiles } = mergeFileLists(previous, fileLists(input.summaryRange));
  return {
    generation: (previous?.generation ?? 0) + 1,
    strategy: "summary",
    readFiles,
    modifiedFiles,
    retainedTailMode: input.mode,
    ...(shape !== undefined && { retainedTailShape: shape }),
    fallback: "retained_tail",
    failureReason: input.failureReason,
    policy,
    uncovered,
    ...(payment.carriedWhole !== undefined && { carriedSummary: payment.carriedWhole }),
    ...(previous?.promptVersion !== undefined && { promptVersion: previous.promptVersion }),
    ...(previous?.calibration !== undefined && { calibration: previous.calibration }),
  };
}

import { type CheckpointDetails, mergeFileLists, type UncoveredInterval } from "@holdfast/checkpoint-normalizer";
import type { DividedRoom } from "./divide-room.ts";
import type { FallbackInput } from "./policy.ts";
import { usablePartial } from "./summary-to-carry.ts";
import { fileLists } from "./touched-files.ts";

export interface FallbackDetailsOptions {
  /** Id of the policy. */
  readonly policy: string;
  readonly divided: DividedRoom;
  /** What no summary has read once the fallback stands. */
  readonly uncovered: readonly UncoveredInterval[];
  /** The shape marker. Of a tail without one a reader replays only the latest request message. */
  readonly shape?: "recent_window" | undefined;
}

/** The details every fallback records. What describes the chain as a whole is carried on from the record before. */
export function fallbackDetails(
  input: FallbackInput,
  { policy, divided, uncovered, shape }: FallbackDetailsOptions,
): CheckpointDetails {
  const previous = input.previousDetails;
  const promptVersion = promptVersionOf(input);
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
    ...(divided.carriedWhole !== undefined && { carriedSummary: divided.carriedWhole }),
    ...(promptVersion !== undefined && { promptVersion }),
    ...(previous?.calibration !== undefined && { calibration: previous.calibration }),
  };
}

/** The version of the prompts that the carried summary was made with: this attempt's, when the text is its own. */
function promptVersionOf(input: FallbackInput): string | undefined {
  const isOfThisAttempt = usablePartial(input) !== undefined || input.failureReason === "checkpoint_oversized";
  return (isOfThisAttempt ? input.promptVersion : undefined) ?? input.previousDetails?.promptVersion;
}

import { intervalsOf, mergeIntervals, subtractCovered, type UncoveredInterval } from "@holdfast/checkpoint-normalizer";
import type { FallbackInput } from "./policy.ts";
import { usablePartial } from "./summary-to-carry.ts";

/**
 * What no summary has read once this fallback stands: the previous record's list and the new range, less what the
 * partial summary read. A partial summary that is blank, or names a message outside the range, has read nothing.
 */
export function stillUncovered(
  input: Pick<FallbackInput, "transcript" | "summaryRange" | "previousDetails" | "partial">,
): UncoveredInterval[] {
  const { transcript, summaryRange, previousDetails } = input;
  const partial = usablePartial(input);
  const unread = mergeIntervals(
    [...(previousDetails?.uncovered ?? []), ...intervalsOf(summaryRange, transcript)],
    transcript,
  );
  if (partial === undefined) return unread;
  const readCount = summaryRange.findIndex(({ id }) => id === partial.coveredThrough) + 1;
  return subtractCovered(unread, intervalsOf(summaryRange.slice(0, readCount), transcript), transcript);
}

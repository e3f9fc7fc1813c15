import type { Message } from "@holdfast/message-schema";
import type { UncoveredInterval } from "./checkpoint.ts";
import { toIntervals, toPositions } from "./interval-arithmetic.ts";
import { boundaryIndexOf, firstIndexBehind } from "./transcript-range.ts";
import type { RangeSource } from "./window-range.ts";

export interface SummaryRangeSource extends RangeSource {
  /** What no summary has read up to the previous boundary, as `uncovered` returns it. */
  readonly uncovered: readonly UncoveredInterval[];
}

export interface SummaryRange {
  /** Every message up to the new boundary that no summary has read, in transcript order. */
  readonly messages: readonly Message[];
  /** The same messages in stretches: each older gap, then what lies behind the previous boundary. None is empty. */
  readonly parts: readonly { readonly messages: readonly Message[]; readonly gap: boolean }[];
  /** The older gaps among them. */
  readonly intervals: readonly UncoveredInterval[];
}

/** What a summarizer is to read for a new checkpoint. Leading system messages are not in it. */
export function summaryRange(source: SummaryRangeSource): SummaryRange {
  const { transcript, boundaryIndex, uncovered } = source;
  const previousIndex = Math.min(boundaryIndexOf(source), boundaryIndex);
  const firstIndex = firstIndexBehind(-1, transcript);
  const gaps = toPositions(uncovered, transcript)
    .map(({ from, through }) => ({ from: Math.max(from, firstIndex), through: Math.min(through, previousIndex) }))
    .filter(({ from, through }) => from <= through);
  const newer = transcript.slice(firstIndexBehind(previousIndex, transcript), boundaryIndex + 1);
  const parts = [
    ...gaps.map(({ from, through }) => ({ messages: transcript.slice(from, through + 1), gap: true })),
    ...(newer.length === 0 ? [] : [{ messages: newer, gap: false }]),
  ];
  return {
    messages: parts.flatMap(({ messages }) => messages),
    parts,
    intervals: toIntervals(gaps, transcript),
  };
}

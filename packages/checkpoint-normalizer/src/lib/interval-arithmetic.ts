import type { Message } from "@holdfast/message-schema";
import type { UncoveredInterval } from "./checkpoint.ts";

/** Both ends included, by position in a transcript. */
export interface PositionInterval {
  readonly from: number;
  readonly through: number;
}

/**
 * Sorted in transcript order, with overlapping and adjoining intervals joined. An end that is not in the transcript is
 * taken at its widest (`from`: the first message, `through`: the last): to read something twice is cheaper than never.
 * An interval with neither end in the transcript is left out, unless both are `""`: then nobody knows what it was.
 */
export function mergeIntervals(
  intervals: readonly UncoveredInterval[],
  transcript: readonly Message[],
): UncoveredInterval[] {
  return toIntervals(toPositions(intervals, transcript), transcript);
}

/** `intervals` less every message that lies in one of `covered`. */
export function subtractCovered(
  intervals: readonly UncoveredInterval[],
  covered: readonly UncoveredInterval[],
  transcript: readonly Message[],
): UncoveredInterval[] {
  let left = toPositions(intervals, transcript);
  for (const hole of toPositions(covered, transcript, "narrow")) {
    left = left.flatMap((interval) =>
      [
        { from: interval.from, through: Math.min(interval.through, hole.from - 1) },
        { from: Math.max(interval.from, hole.through + 1), through: interval.through },
      ].filter(({ from, through }) => from <= through),
    );
  }
  return toIntervals(left, transcript);
}

/** The intervals that a list of transcript messages, in transcript order, forms. Messages of no transcript count for nothing. */
export function intervalsOf(messages: readonly Message[], transcript: readonly Message[]): UncoveredInterval[] {
  return mergeIntervals(
    messages.map(({ id }) => ({ from: id, through: id })),
    transcript,
  );
}

/** Positions of the intervals, sorted and merged. A `narrow` reading leaves out intervals with an end that is gone. */
export function toPositions(
  intervals: readonly UncoveredInterval[],
  transcript: readonly Message[],
  reading: "wide" | "narrow" = "wide",
): PositionInterval[] {
  if (intervals.length === 0) return [];
  const positions = new Map(transcript.map(({ id }, position) => [id, position]));
  const found: PositionInterval[] = [];
  for (const interval of intervals) {
    const from = positions.get(interval.from);
    const through = positions.get(interval.through);
    const isUnknown = interval.from === "" && interval.through === "";
    if (from === undefined && through === undefined && !isUnknown) continue;
    if (reading === "narrow" && (from === undefined || through === undefined)) continue;
    const [first, last] = [from ?? 0, through ?? transcript.length - 1];
    found.push({ from: Math.min(first, last), through: Math.max(first, last) });
  }
  return merged(found);
}

function merged(intervals: readonly PositionInterval[]): PositionInterval[] {
  const result: PositionInterval[] = [];
  for (const interval of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || interval.from > last.through + 1) result.push(interval);
    else result[result.length - 1] = { from: last.from, through: Math.max(last.through, interval.through) };
  }
  return result;
}

export function toIntervals(
  intervals: readonly PositionInterval[],
  transcript: readonly Message[],
): UncoveredInterval[] {
  return merged(intervals).flatMap(({ from, through }) => {
    const [first, last] = [transcript[from], transcript[through]];
    return first === undefined || last === undefined ? [] : [{ from: first.id, through: last.id }];
  });
}

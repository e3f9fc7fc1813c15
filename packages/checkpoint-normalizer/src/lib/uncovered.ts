import type { Message } from "@holdfast/message-schema";
import type { UncoveredInterval } from "./checkpoint.ts";
import { type PositionInterval, toIntervals, toPositions } from "./interval-arithmetic.ts";
import { firstIndexBehind } from "./transcript-range.ts";
import { type UsableRecord, usableRecords } from "./usable-records.ts";

/**
 * The messages up to the newest checkpoint's boundary that no summary has read, as intervals in transcript order; `[]`
 * without a checkpoint. A record that lists them is believed. For one from before the list existed they follow from the
 * chain: a fresh window gave its past up; a success read what lies between its predecessor's boundary and its own; a
 * fallback or a summary that nobody can read added that stretch to what was already missing.
 */
export function uncovered(chain: readonly unknown[], transcript: readonly Message[]): UncoveredInterval[] {
  const records = usableRecords(chain, transcript, []);
  const newest = records.next();
  if (newest.done === true) return [];
  const gaps = gapsOf(newest.value, records, transcript);
  const { boundaryIndex } = newest.value;
  const upToBoundary = gaps.map(({ from, through }) => ({ from, through: Math.min(through, boundaryIndex) }));
  return toIntervals(
    upToBoundary.filter(({ from, through }) => from <= through),
    transcript,
  );
}

function gapsOf(
  newest: UsableRecord,
  older: Generator<UsableRecord>,
  transcript: readonly Message[],
): readonly PositionInterval[] {
  const unread: PositionInterval[] = [];
  let record = newest;
  for (;;) {
    const { details, summary } = record.checkpoint;
    if (details.uncovered !== undefined) return [...unread, ...toPositions(details.uncovered, transcript)];
    if (details.strategy === "fresh_window") return unread;
    if (summary === null && details.carriedSummary === undefined) {
      // Nobody can read it and it carries none that was before it: all it stands for is unread.
      return [...unread, { from: firstIndexBehind(-1, transcript), through: record.boundaryIndex }];
    }
    const predecessor = nextWithin(older, record.boundaryIndex);
    if (details.fallback !== undefined || summary === null) {
      const from = firstIndexBehind(predecessor?.boundaryIndex ?? -1, transcript);
      if (from <= record.boundaryIndex) unread.push({ from, through: record.boundaryIndex });
    }
    if (predecessor === undefined) return unread;
    record = predecessor;
  }
}

/** The next older record whose boundary does not lie behind the given one: others belong to another branch. */
function nextWithin(older: Generator<UsableRecord>, boundaryIndex: number): UsableRecord | undefined {
  for (let next = older.next(); next.done !== true; next = older.next()) {
    if (next.value.boundaryIndex <= boundaryIndex) return next.value;
  }
  return undefined;
}

import fc from "fast-check";
import { expect, test } from "vitest";
import type { UncoveredInterval } from "./checkpoint.ts";
import { user } from "./fixtures/conversation.ts";
import { intervalsOf, mergeIntervals, subtractCovered } from "./interval-arithmetic.ts";

const runs = 300 * Number(process.env.HOLDFAST_RUNS ?? 1);
const transcript = Array.from({ length: 12 }, (_, index) => user(`m${index}`));
const intervals = fc.array(
  fc
    .tuple(fc.nat({ max: 11 }), fc.nat({ max: 11 }))
    .map(([a, b]) => ({ from: `m${Math.min(a, b)}`, through: `m${Math.max(a, b)}` })),
  { maxLength: 5 },
);

/** The same by brute force: a set of messages. */
function membersOf(list: readonly UncoveredInterval[]): Set<string> {
  const place = (id: string): number => Number(id.slice(1));
  const within = (id: string): boolean =>
    list.some(({ from, through }) => place(from) <= place(id) && place(id) <= place(through));
  return new Set(transcript.map(({ id }) => id).filter(within));
}

test("merging keeps every message and leaves no two stretches that touch", () => {
  fc.assert(
    fc.property(intervals, (list) => {
      const merged = mergeIntervals(list, transcript);
      expect(membersOf(merged)).toEqual(membersOf(list));
      expect(mergeIntervals(merged, transcript)).toEqual(merged);
      expect(
        intervalsOf(
          transcript.filter(({ id }) => membersOf(list).has(id)),
          transcript,
        ),
      ).toEqual(merged);
    }),
    { numRuns: runs },
  );
});

test("what is left after reading is exactly what was unread and not read", () => {
  fc.assert(
    fc.property(intervals, intervals, (unread, read) => {
      const left = subtractCovered(unread, read, transcript);
      const expected = [...membersOf(unread)].filter((id) => !membersOf(read).has(id));
      expect([...membersOf(left)]).toEqual(expected);
    }),
    { numRuns: runs },
  );
});

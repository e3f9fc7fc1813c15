import { expect, test } from "vitest";
import { user } from "./fixtures/conversation.ts";
import { intervalsOf, mergeIntervals, subtractCovered } from "./interval-arithmetic.ts";

const transcript = ["a", "b", "c", "d", "e", "f", "g"].map((id) => user(id));

test("overlapping and adjoining stretches become one, in transcript order", () => {
  const intervals = [
    { from: "f", through: "g" },
    { from: "b", through: "c" },
    { from: "a", through: "b" },
    { from: "e", through: "e" },
  ];
  expect(mergeIntervals(intervals, transcript)).toEqual([
    { from: "a", through: "c" },
    { from: "e", through: "g" },
  ]);
  expect(mergeIntervals([], transcript)).toEqual([]);
});

test("what was read is taken out of the middle, and the rest stays listed", () => {
  expect(subtractCovered([{ from: "a", through: "g" }], [{ from: "c", through: "d" }], transcript)).toEqual([
    { from: "a", through: "b" },
    { from: "e", through: "g" },
  ]);
  expect(subtractCovered([{ from: "b", through: "c" }], [{ from: "a", through: "g" }], transcript)).toEqual([]);
});

test("the messages of a range form its stretches", () => {
  const range = transcript.filter(({ id }) => id !== "d");
  expect(intervalsOf(range, transcript)).toEqual([
    { from: "a", through: "c" },
    { from: "e", through: "g" },
  ]);
  expect(intervalsOf([user("elsewhere")], transcript)).toEqual([]);
});

test("an end that is gone is taken at its widest when it is unread, and not at all when it is read", () => {
  expect(mergeIntervals([{ from: "gone", through: "c" }], transcript)).toEqual([{ from: "a", through: "c" }]);
  expect(mergeIntervals([{ from: "c", through: "gone" }], transcript)).toEqual([{ from: "c", through: "g" }]);
  expect(mergeIntervals([{ from: "gone", through: "also" }], transcript)).toEqual([]);
  expect(subtractCovered([{ from: "a", through: "g" }], [{ from: "gone", through: "c" }], transcript)).toEqual([
    { from: "a", through: "g" },
  ]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { activeBranch } from "./active-branch.ts";

const options = { numRuns: 300 * Number(process.env.HOLDFAST_RUNS ?? 1), seed: 11 };

/** A tree that grew by appending: every entry hangs on an earlier one, or is a root. */
const tree = fc.array(fc.nat(), { minLength: 1, maxLength: 30 }).map((picks) =>
  picks.map((pick, index) => ({
    id: `e${index}`,
    parentId: index === 0 || pick % 7 === 0 ? null : `e${pick % index}`,
  })),
);

test("the branch is the newest entry and its parents, root first", () => {
  fc.assert(
    fc.property(tree, (entries) => {
      const expected: number[] = [];
      for (let index = entries.length - 1; index >= 0; ) {
        expected.unshift(index);
        const parent = entries[index]?.parentId ?? "";
        index = entries.findIndex(({ id }) => id === parent);
      }
      expect(activeBranch(entries)).toEqual({ path: expected, mended: [] });
    }),
    options,
  );
});

test("of a chain with lost lines every other entry stays on the branch", () => {
  fc.assert(
    fc.property(fc.nat({ max: 40 }), fc.infiniteStream(fc.boolean()), (length, losses) => {
      const chain = Array.from({ length }, (_, index) => ({
        id: `e${index}`,
        parentId: index === 0 ? null : `e${index - 1}`,
      }));
      const left = chain.filter((_, index) => index === 0 || losses.next().value === true);
      expect(activeBranch(left).path).toEqual(left.map((_, index) => index));
    }),
    options,
  );
});

test("entries that are each other's parents come to an end", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 })), { maxLength: 12 }), (pairs) => {
      const entries = pairs.map(([id, parent]) => ({ id: `e${id}`, parentId: `e${parent}` }));
      const { path } = activeBranch(entries);
      expect(new Set(path).size).toBe(path.length);
    }),
    options,
  );
});

test("a path that jumps over what it has walked a hundred thousand times comes to its end", () => {
  const third = 100_000;
  const low = Array.from({ length: third }, (_, index) => ({ id: `${index}`, parentId: `${3 * third - index}` }));
  const middle = Array.from({ length: third }, (_, index) => {
    return { id: `${third + index}`, parentId: index === 0 ? `${2 * third}` : `${third + index - 1}` };
  });
  const high = Array.from({ length: third + 1 }, (_, index) => ({ id: `${2 * third + index}`, parentId: "lost" }));
  const { path } = activeBranch([...low, ...middle, ...high, { id: "leaf", parentId: `${2 * third - 1}` }]);
  expect(new Set(path).size).toBe(path.length);
  expect(path.at(-1)).toBe(3 * third + 1);
});

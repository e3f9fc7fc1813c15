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

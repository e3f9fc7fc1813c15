import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateText } from "./estimate-text.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 500 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 500 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom("a", "Z", "9", " ", "\t", "\0", "\r", "\n", ".", "é", "中", "\ud83d", "+"), {
      maxLength: 500,
    })
    .map((all) => all.join("")),
  fc.array(fc.constantFrom(" ", "\t", "\n", "\r"), { maxLength: 500 }).map((all) => all.join("")),
);

test("any string gets a whole number of tokens: none for the empty one, at most its bytes for the others", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const tokens = estimateText(text);
      expect(Number.isInteger(tokens)).toBe(true);
      if (text === "") expect(tokens).toBe(0);
      else expect(tokens).toBeGreaterThanOrEqual(0);
      expect(tokens).toBeLessThanOrEqual(new TextEncoder().encode(text).length + 1);
    }),
    { numRuns: 2_000 },
  );
});

import { createTokenCounter } from "@holdfast/token-counter";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextCut } from "./text-cut.ts";

const runs = 300 * Number(process.env.HOLDFAST_RUNS ?? 1);

/** Text that is hard on encoders: scripts, marks, line ends, signs, digits and long runs of one kind. */
const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constantFrom(
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "  \n",
    "\t",
    "/",
    "\n/",
    ".\n",
    ";\n\n",
    "'s",
    "'",
    "’s",
    "foo",
    "Bar",
    "BAZ",
    "don't",
    "你好世界",
    "，",
    "é",
    "e\u0301",
    "2️⃣",
    "12345",
    "½",
    "٣",
    "\u0085",
    "\u2028",
    "\uFEFF",
    "\u00a0",
    "{",
    '"',
    "://",
    "```",
    "---",
    "====",
    "a".repeat(40),
    "==".repeat(30),
    " ".repeat(20),
    "<|endoftext|>",
    "🙂",
    "𝒜𝒷",
  ),
);
const text = fc
  .array(piece, { minLength: 1, maxLength: 60 })
  .map((pieces) => pieces.join("").replace(/\p{Surrogate}/gu, "\uFFFD"));

describe("a cut that says it is exact", () => {
  it.each(["o200k_base", "cl100k_base"] as const)("adds up in %s", async (encoding) => {
    using counter = await createTokenCounter({ encoding });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, size) => {
        let start = 0;
        let exactFrom = 0;
        while (start < whole.length) {
          const cut = nextCut(whole, start, { size, maxSize: 4 * size });
          expect(cut.end).toBeGreaterThan(start);
          start = cut.end;
          if (!cut.exact || start === whole.length) continue;
          const before = whole.slice(exactFrom, start);
          const after = whole.slice(start);
          expect(counter.countText(before) + counter.countText(after)).toBe(counter.countText(whole.slice(exactFrom)));
          exactFrom = start;
        }
      }),
      { numRuns: runs, seed: 6, endOnFailure: true },
    );
  });
});

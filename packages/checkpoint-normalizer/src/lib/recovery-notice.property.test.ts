import fc from "fast-check";
import { expect, test } from "vitest";
import { neutralizeNoticeMarks, stripRecoveryNotice } from "./recovery-notice.ts";

const runs = 500 * Number(process.env.HOLDFAST_RUNS ?? 1);
const pieces = fc.constantFrom(
  "<recovery_notice>",
  "</recovery_notice>",
  "<recovery_",
  "notice>",
  "\n",
  "## Goal",
  "a",
  " ",
);
const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(""));

test("no mark is ever left, and stripping twice is stripping once", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const stripped = stripRecoveryNotice(text);
      expect(stripped).not.toMatch(/<\/?recovery_notice>/);
      expect(stripRecoveryNotice(stripped)).toBe(stripped);
    }),
    { numRuns: runs },
  );
});

test("a neutralized text has nothing to strip", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const neutral = neutralizeNoticeMarks(text);
      expect(stripRecoveryNotice(neutral)).toBe(neutral.trim());
    }),
    { numRuns: runs },
  );
});

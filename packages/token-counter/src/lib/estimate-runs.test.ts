import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTokenCounter } from "./create-token-counter.ts";
import { estimateText } from "./estimate-text.ts";
import type { TokenCounter } from "./token-counter.ts";

let exact: TokenCounter;
beforeAll(async () => {
  exact = await createTokenCounter();
});
afterAll(() => exact.dispose());

describe("a run costs by its length", () => {
  test.each([
    ["100,000 line breaks", "\n".repeat(100_000), 6_250, 12_501],
    ["100,000 tabs", "\t".repeat(100_000), 6_250, 6_250],
    ["100,000 spaces", " ".repeat(100_000), 782, 1_250],
    ["100,000 spaces before a line break", `${" ".repeat(100_000)}\n`, 782, 1_251],
    ["50,000 line ends of Windows", "\r\n".repeat(50_000), 12_500, 36_251],
    ["100,000 NULs", "\0".repeat(100_000), 50_000, 100_000],
    ["a sign, then 100,000 line breaks", `.${"\n".repeat(100_000)}`, 6_252, 12_501],
    ["100,000 backticks", "`".repeat(100_000), 50_000, 49_994],
  ])("%s", (_, text, tokens, estimated) => {
    expect(exact.countText(text)).toBe(tokens);
    expect(estimateText(text)).toBe(estimated);
  });

  test.each([
    ..." \t\n\r\0\u001b\u007f",
    ..."aAzq7",
    ..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    ..."éü─中あ가дا",
    "\r\n",
    " \t",
    " \n",
  ])("ten thousand times %j is not estimated low", (unit) => {
    const text = unit.repeat(10_000);
    expect(estimateText(text)).toBeGreaterThanOrEqual(exact.countText(text) * 0.98);
  });

  test("no run of any character is estimated at less than 0.3 of its tokens", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 0, max: 0x3000 }), fc.integer({ min: 0, max: 0x2_ffff })), (codePoint) => {
        const text = String.fromCodePoint(codePoint).repeat(1_000);
        expect(estimateText(text)).toBeGreaterThanOrEqual(exact.countText(text) * 0.3);
      }),
      { numRuns: 500 },
    );
  });
});

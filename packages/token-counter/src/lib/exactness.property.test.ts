import fc from "fast-check";
import { get_encoding, type Tiktoken } from "tiktoken";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTokenCounter } from "./create-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

/** `HOLDFAST_RUNS=50` gives 100,000 strings. */
const runs = 2_000 * Number(process.env.HOLDFAST_RUNS ?? 1);
/** For such a hand run, on a machine that does other things too. */
const timeoutMs = 1_800_000;

/** Characters at which a port of the patterns goes wrong: where classes, cases and white space differ by engine. */
const oddities = [
  ..."aAzZ019 \t\n\r'/.,-_<|>{}\"",
  ..."ſKıİßŉǅʰªºٱ中あ가ไ\u0301\u064b\u0903\u20dd",
  ..."\u0000\u000b\u000c\u001f\u007f\u0085\u00a0\u1680\u180e\u2003\u2028\u2029\u200b\u200d\u202f\u205f\u3000\ufeff\ufffd\uffff",
  ..."٣५Ⅷ²½〇😀🏽",
  "\u088f",
  "\ua7d2",
  "\u{16ea0}",
  "\u{e0100}",
  "\u{10ffff}",
  "\ud800",
  "\udbff",
  "\udc00",
  "'S",
  "'ſ",
  "'Re",
  "'lL",
  "\r\n",
  "<|endoftext|>",
  "<|im_start|>",
];

const ranges: readonly (readonly [number, number])[] = [
  [0x00, 0x7f],
  [0x80, 0x24f],
  [0x250, 0x36f],
  [0x370, 0x52f],
  [0x590, 0x6ff],
  [0x900, 0x0dff],
  [0x0e00, 0x0fff],
  [0x1000, 0x1fff],
  [0x2000, 0x2bff],
  [0x3000, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7af],
  [0xd800, 0xdfff],
  [0xe000, 0xffff],
  [0x1_0000, 0x1_ffff],
  [0x2_0000, 0x10_ffff],
];

const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddities) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...ranges)
      .chain(([low, high]) => fc.integer({ min: low, max: high }))
      .map((codePoint) => String.fromCodePoint(codePoint)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("the", " of", "return", "Http", "XML", " 2026", "();\n", "    ", "的", "при"),
  },
);
const run = fc.tuple(character, fc.integer({ min: 2, max: 150 })).map(([text, times]) => text.repeat(times));
const anyText = fc
  .array(fc.oneof({ weight: 9, arbitrary: character }, { weight: 1, arbitrary: run }), { maxLength: 40 })
  .map((parts) => parts.join(""));

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

describe.each(["o200k_base", "cl100k_base"] as const)("%s", (encoding) => {
  let reference: Tiktoken;
  let counter: TokenCounter;
  beforeAll(async () => {
    reference = get_encoding(encoding);
    counter = await createTokenCounter({ encoding });
  });
  afterAll(() => {
    reference.free();
    counter.dispose();
  });

  test(
    "any text counts as many tokens as the encoder makes of it",
    () => {
      fc.assert(
        fc.property(anyText, (text) => {
          expect(counter.countText(text)).toBe(reference.encode_ordinary(text).length);
        }),
        { numRuns: runs },
      );
    },
    timeoutMs,
  );

  test(
    "a run without a break, too long to be merged by scanning, counts as many tokens too",
    () => {
      const alphabet = fc.constantFrom(
        "ab",
        "abcdefghijklmnopqrstuvwxyz",
        "ABCDEFGH",
        "!@#$%^&*",
        "=-",
        "^",
        " \t",
        "的一是",
        "กขค",
        "éàü",
      );
      const longRun = alphabet.chain((characters) =>
        fc.array(fc.constantFrom(...characters), { minLength: 130, maxLength: 2_000, size: "max" }),
      );
      fc.assert(
        fc.property(longRun, (characters) => {
          const text = characters.join("");
          expect(counter.countText(text)).toBe(reference.encode_ordinary(text).length);
        }),
        { numRuns: runs / 40 },
      );
    },
    timeoutMs,
  );

  test(
    "a count lies between a 128th of the bytes and the bytes",
    () => {
      fc.assert(
        fc.property(fc.oneof(anyText, fc.string({ unit: "binary", maxLength: 2_000 })), (text) => {
          const bytes = utf8Length(text);
          const tokens = counter.countText(text);
          expect(tokens).toBeGreaterThanOrEqual(Math.ceil(bytes / 128));
          expect(tokens).toBeLessThanOrEqual(bytes);
        }),
        { numRuns: runs / 2 },
      );
    },
    timeoutMs,
  );

  test(
    "a text cut between a letter and a space counts as the sum of its halves",
    () => {
      fc.assert(
        fc.property(anyText, fc.constantFrom(..."azAZéяم中"), anyText, (before, letter, after) => {
          const left = before + letter;
          const right = ` ${after}`;
          expect(counter.countText(left + right)).toBe(counter.countText(left) + counter.countText(right));
        }),
        { numRuns: runs / 2 },
      );
    },
    timeoutMs,
  );
});

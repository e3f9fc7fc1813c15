import { get_encoding, type Tiktoken } from "tiktoken";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTokenCounter } from "./create-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

// One text holds many code points, each in its line, and the planes without characters are left out: a matter of
// seconds. A sample of them is counted each by itself; a hand run (see the README) takes every code point by itself.
const isHandRun = Number(process.env.HOLDFAST_RUNS ?? 1) >= 10;
const codePointsPerText = isHandRun ? 1 : 512;
const ranges = isHandRun
  ? ([[0, 0x10_ffff]] as const)
  : ([
      [0, 0x3_3fff],
      [0xe_0000, 0xe_0fff],
      [0x10_fe00, 0x10_ffff],
    ] as const);
const contexts = [
  (character: string) => character,
  (character: string) => `a${character}b`,
  (character: string) => `A${character}B`,
  (character: string) => ` ${character} `,
  (character: string) => `.${character}'s`,
];

function* firstCodePoints(): Generator<number> {
  for (const [low, high] of ranges) {
    for (let first = low; first <= high; first += codePointsPerText) yield first;
  }
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

  test("every code point, alone and between letters and spaces, counts as the encoder counts it", () => {
    const differing: string[] = [];
    for (const context of contexts) {
      for (const first of firstCodePoints()) {
        const lines = Array.from({ length: codePointsPerText }, (_, offset) =>
          context(String.fromCodePoint(first + offset)),
        );
        const text = lines.join("\n");
        if (counter.countText(text) !== reference.encode_ordinary(text).length) {
          differing.push(`U+${first.toString(16)} in ${JSON.stringify(context("X"))}`);
        }
      }
    }
    expect(differing).toEqual([]);
  }, 1_800_000);

  test("every 61st code point, in a text of its own, counts as the encoder counts it", () => {
    const differing: string[] = [];
    for (const [low, high] of ranges) {
      for (let codePoint = low + 17; codePoint <= high; codePoint += 61) {
        for (const context of contexts) {
          const text = context(String.fromCodePoint(codePoint));
          if (counter.countText(text) !== reference.encode_ordinary(text).length) differing.push(JSON.stringify(text));
        }
      }
    }
    expect(differing).toEqual([]);
  }, 120_000);

  test.each([
    ["", 0],
    ["hello world", 2],
    ["<|endoftext|>", 7],
    ["\ud800", 1],
    ["a\udc00\ud800b", 3],
    ["\ufeff", 1],
  ])("%j is %i tokens", (text, tokens) => {
    expect(counter.countText(text)).toBe(tokens);
    expect(reference.encode_ordinary(text)).toHaveLength(tokens);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ByteMap, createByteMap } from "./byte-map.ts";
import { mergeByHeap } from "./merge-by-heap.ts";
import { createScanMerge } from "./merge-by-scan.ts";

const letters = fc.constantFrom(0, 1, 2);
const token = fc.array(letters, { minLength: 2, maxLength: 5 });
const ranked = fc.uniqueArray(token, { selector: String, minLength: 1, maxLength: 30 });

function ranksOf(tokens: readonly (readonly number[])[]): ByteMap {
  const ranks = createByteMap({ maxKeys: tokens.length, maxBytes: tokens.length * 5 });
  tokens.forEach((bytes, rank) => {
    ranks.add(Uint8Array.from(bytes), 0, bytes.length, rank);
  });
  return ranks;
}

/** The definition, word for word. */
function mergeByDefinition(bytes: readonly number[], tokens: readonly (readonly number[])[]): number {
  const ranks = new Map(tokens.map((bytes, rank) => [String(bytes), rank]));
  let parts = bytes.map((byte) => [byte]);
  for (;;) {
    const joins = parts
      .slice(1)
      .map((right, left) => ranks.get(String([...(parts[left] ?? []), ...right])) ?? Infinity);
    const lowest = Math.min(...joins);
    if (lowest === Infinity) return parts.length;
    const left = joins.indexOf(lowest);
    parts = parts.toSpliced(left, 2, [...(parts[left] ?? []), ...(parts[left + 1] ?? [])]);
  }
}

test("looking along all joins and taking them from a heap merge as the definition does", () => {
  fc.assert(
    fc.property(ranked, fc.array(letters, { minLength: 1, maxLength: 60 }), (tokens, piece) => {
      const ranks = ranksOf(tokens);
      const bytes = Uint8Array.from(piece);
      const expected = mergeByDefinition(piece, tokens);
      expect(createScanMerge(ranks)(bytes, bytes.length)).toBe(expected);
      expect(mergeByHeap(bytes, bytes.length, ranks)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

describe("a million bytes without a break", () => {
  test("take at most three look-ups a byte", () => {
    const length = 1_000_000;
    const tokens = [2, 4, 8, 16, 32, 64].map((size) => Array.from({ length: size }, () => 97));
    const ranks = createByteMap({ maxKeys: 6, maxBytes: 126 });
    tokens.forEach((bytes, rank) => {
      ranks.add(Uint8Array.from(bytes), 0, bytes.length, rank);
    });
    let lookUps = 0;
    const countingRanks: ByteMap = {
      ...ranks,
      get(bytes, start, end) {
        lookUps += 1;
        return ranks.get(bytes, start, end);
      },
    };
    expect(mergeByHeap(new Uint8Array(length).fill(97), length, countingRanks)).toBe(15_625);
    expect(lookUps).toBeLessThanOrEqual(3 * length);
  });
});

import { get_encoding } from "tiktoken";
import { expect, test } from "vitest";
import { createByteMap } from "./byte-map.ts";
import { createTokenCounter } from "./create-token-counter.ts";

/** FNV-1a, whose state after equal states and equal letters is equal: a family of words grows by pairs of blocks. */
function fnv(text: string, start: number): number {
  let hash = start;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x0100_0193);
  return hash;
}

/** Two blocks of six letters after which the hash that was `start` is the same. */
function meetingBlocks(start: number): readonly [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; ; number++) {
    const scrambled = Math.imul(number, 2_654_435_761) >>> 0;
    const block = Array.from({ length: 6 }, (_, at) =>
      String.fromCharCode(97 + (Math.floor(scrambled / 26 ** at) % 26)),
    ).join("");
    const hash = fnv(block, start);
    const other = seen.get(hash);
    if (other !== undefined && other !== block) return [other, block];
    seen.set(hash, block);
  }
}

/** `2 ** blocks` words of lower-case letters that the hash of a byte map does not tell apart. */
function collidingWords(blocks: number): readonly string[] {
  let words: readonly string[] = [""];
  let state = 0x811c_9dc5;
  for (let block = 0; block < blocks; block++) {
    const pair = meetingBlocks(state);
    state = fnv(pair[0], state);
    words = words.flatMap((word) => pair.map((next) => word + next));
  }
  return words;
}

const words = collidingWords(10);

test("of words that all meet in one slot a map takes in as many as a look-up may pass", () => {
  const map = createByteMap({ maxKeys: 2_000, maxBytes: 200_000 });
  const keys = words.map((word) => new TextEncoder().encode(word));
  const added = keys.filter((key, value) => map.add(key, 0, key.length, value));
  expect(new Set(words).size).toBe(1_024);
  expect(added).toHaveLength(65);
  expect(keys.map((key) => map.get(key, 0, key.length))).toEqual(keys.map((_, index) => (index < 65 ? index : -1)));
  // A key with a slot of its own still finds room.
  expect(map.add(Uint8Array.of(1), 0, 1, 7)).toBe(true);
});

test("a text of such words is counted to the token, also when it is counted again", async () => {
  const reference = get_encoding("o200k_base");
  using counter = await createTokenCounter();
  const text = words.join("\n");
  const tokens = reference.encode_ordinary(text).length;
  reference.free();
  expect(counter.countText(text)).toBe(tokens);
  expect(counter.countText(text)).toBe(tokens);
});

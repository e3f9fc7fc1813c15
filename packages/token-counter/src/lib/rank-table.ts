/** The tokens of an encoding: which byte strings are one token, and their rank, by which pieces are merged. */
export interface RankTable {
  /** The rank of `bytes[start..end)`; -1 when that is no token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number;
}

const HASH_SEED = 0x811c9dc5 | 0;
const HASH_FACTOR = 0x01000193;

/**
 * Reads the ranks as tiktoken ships them: lines of `! <first rank> <base64 token> <base64 token> …`. All tokens lie
 * in one byte array under an open-addressing hash table: a tenth of the memory of a map of strings, and a look-up
 * makes no string.
 */
export function readRankTable(encodedRanks: string): RankTable {
  const lines = encodedRanks.split("\n").filter((line) => line !== "");
  // Four characters of base64 hold three bytes, and every token ends in one separator or more.
  const tokenBytes = new Uint8Array(Math.ceil((encodedRanks.length * 3) / 4));
  const starts: number[] = [];
  let size = 0;

  for (const line of lines) {
    const [, firstRank = "0"] = line.split(" ", 2);
    for (let rank = starts.length; rank < Number(firstRank); rank++) starts.push(size);
    let at = line.indexOf(" ", 2) + 1;
    while (at > 0 && at < line.length) {
      starts.push(size);
      let bits = 0;
      let bitCount = 0;
      for (; at < line.length; at++) {
        const sextet = base64Values[line.charCodeAt(at)] ?? SEPARATOR;
        if (sextet === SEPARATOR) break;
        if (sextet === PADDING) continue;
        bits = (bits << 6) | sextet;
        bitCount += 6;
        if (bitCount >= 8) {
          bitCount -= 8;
          tokenBytes[size++] = (bits >> bitCount) & 0xff;
        }
      }
      at += 1;
    }
  }
  starts.push(size);
  return createRankTable(tokenBytes.slice(0, size), Uint32Array.from(starts));
}

/** `starts[rank]` and `starts[rank + 1]` bound a token in `tokenBytes`; an empty one is a rank nobody uses. */
function createRankTable(tokenBytes: Uint8Array, starts: Uint32Array): RankTable {
  const count = starts.length - 1;
  const slotCount = 2 ** Math.ceil(Math.log2(count * 2));
  const mask = slotCount - 1;
  // Two numbers a slot: the hash, and the rank + 1 (0 for an empty slot).
  const slots = new Int32Array(slotCount * 2);
  let longest = 0;

  for (let rank = 0; rank < count; rank++) {
    const start = starts[rank] ?? 0;
    const end = starts[rank + 1] ?? 0;
    if (start === end) continue;
    longest = Math.max(longest, end - start);
    const hash = hashOf(tokenBytes, start, end);
    let slot = slotOf(hash) & mask;
    while (slots[slot * 2 + 1] !== 0) slot = (slot + 1) & mask;
    slots[slot * 2] = hash;
    slots[slot * 2 + 1] = rank + 1;
  }

  function rankOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > longest) return -1;
    const hash = hashOf(bytes, start, end);
    for (let slot = slotOf(hash) & mask; ; slot = (slot + 1) & mask) {
      const rank = (slots[slot * 2 + 1] ?? 0) - 1;
      if (rank < 0) return -1;
      if (slots[slot * 2] !== hash) continue;
      const tokenStart = starts[rank] ?? 0;
      if ((starts[rank + 1] ?? 0) - tokenStart !== length) continue;
      let same = 0;
      while (same < length && tokenBytes[tokenStart + same] === bytes[start + same]) same += 1;
      if (same === length) return rank;
    }
  }

  return { rankOf };
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_SEED;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_FACTOR);
  return hash;
}

/** The low bits of the hash alone are poor: they depend on the low bits of the bytes only. */
function slotOf(hash: number): number {
  return hash ^ (hash >>> 15);
}

const SEPARATOR = 255;
const PADDING = 254;
const base64Values = readBase64Values();

function readBase64Values(): Uint8Array {
  const values = new Uint8Array(128).fill(SEPARATOR);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;
  values["=".charCodeAt(0)] = PADDING;
  return values;
}

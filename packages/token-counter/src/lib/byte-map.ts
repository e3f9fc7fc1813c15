/**
 * A map from byte strings to numbers of 0 and above, of a size fixed when it is made. All keys lie in one byte array
 * under an open-addressing hash table: a tenth of the memory of a map of strings, and a look-up allocates nothing.
 */
export interface ByteMap {
  /** The value of the key `bytes[start..end)`; -1 when there is none. */
  get(bytes: Uint8Array, start: number, end: number): number;
  /** Adds a key that is not there yet. `false` when there is no room for it; the map is then as before. */
  add(bytes: Uint8Array, start: number, end: number, value: number): boolean;
  clear(): void;
}

export interface ByteMapCapacity {
  readonly maxKeys: number;
  /** Of all keys together. */
  readonly maxBytes: number;
}

const HASH_START = 0x811c_9dc5 | 0;
const HASH_FACTOR = 0x0100_0193;
/**
 * A key lies at most so many slots behind its own. Texts can be made whose pieces all meet in one slot, and a secret start
 * of this hash would not prevent it; within this bound such a look-up is some steps longer than others, and no more.
 */
const MAX_DISTANCE = 64;

export function createByteMap({ maxKeys, maxBytes }: ByteMapCapacity): ByteMap {
  const keyBytes = new Uint8Array(maxBytes);
  /** Key n is `keyBytes[starts[n]..starts[n + 1])`. */
  const starts = new Uint32Array(maxKeys + 1);
  const values = new Int32Array(maxKeys);
  const slotCount = 2 ** Math.ceil(Math.log2(maxKeys * 2));
  const mask = slotCount - 1;
  /** Two numbers a slot: the hash of a key, and its n + 1 (0: the slot is empty). */
  const slots = new Int32Array(slotCount * 2);
  let size = 0;
  let longest = 0;

  function get(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > longest) return -1;
    const hash = hashOf(bytes, start, end);
    for (let distance = 0; distance <= MAX_DISTANCE; distance++) {
      const slot = (hash + distance) & mask;
      const key = (slots[slot * 2 + 1] ?? 0) - 1;
      if (key < 0) return -1;
      if (slots[slot * 2] !== hash) continue;
      const keyStart = starts[key] ?? 0;
      if ((starts[key + 1] ?? 0) - keyStart !== length) continue;
      let same = 0;
      while (same < length && keyBytes[keyStart + same] === bytes[start + same]) same += 1;
      if (same === length) return values[key] ?? -1;
    }
    return -1;
  }

  function add(bytes: Uint8Array, start: number, end: number, value: number): boolean {
    const keyStart = starts[size] ?? 0;
    const keyEnd = keyStart + end - start;
    if (size === maxKeys || keyEnd > maxBytes) return false;
    const hash = hashOf(bytes, start, end);
    let distance = 0;
    while (slots[((hash + distance) & mask) * 2 + 1] !== 0) {
      if (distance === MAX_DISTANCE) return false;
      distance += 1;
    }
    const slot = (hash + distance) & mask;
    for (let at = 0; at < end - start; at++) keyBytes[keyStart + at] = bytes[start + at] ?? 0;
    starts[size + 1] = keyEnd;
    values[size] = value;
    longest = Math.max(longest, end - start);
    slots[slot * 2] = hash;
    size += 1;
    slots[slot * 2 + 1] = size;
    return true;
  }

  function clear(): void {
    slots.fill(0);
    size = 0;
    longest = 0;
  }

  return { get, add, clear };
}

/** FNV-1a, its high bits folded down: by themselves its low bits hang on the low bits of the bytes alone. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_FACTOR);
  return hash ^ (hash >>> 15);
}

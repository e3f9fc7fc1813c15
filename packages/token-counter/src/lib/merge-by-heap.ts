import type { ByteMap } from "./byte-map.ts";
import { createMinHeap } from "./min-heap.ts";

const NO_JOIN = -1;
/** Above every index of a part, so that rank and part make one exact number. */
const RANK_UNIT = 2 ** 32;

/**
 * n log n, for long pieces: the parts are a linked list, their joins wait in a heap. A part is named by its first byte.
 * 28 bytes of working memory for each byte of the piece, given back at the end.
 */
export function mergeByHeap(bytes: Uint8Array, length: number, ranks: ByteMap): number {
  const next = new Int32Array(length);
  const previous = new Int32Array(length + 1);
  /** The rank of the join of a part with the next one. */
  const joins = new Int32Array(length).fill(NO_JOIN);
  // One join a pair at first; then each merge takes one out and puts two in at most.
  const waiting = createMinHeap(length * 2);
  let parts = length;

  function listJoin(part: number, end: number): void {
    const rank = ranks.get(bytes, part, end);
    joins[part] = rank;
    if (rank >= 0) waiting.push(rank * RANK_UNIT + part);
  }

  for (let part = 0; part < length; part++) {
    next[part] = part + 1;
    previous[part] = part - 1;
    if (part + 1 < length) listJoin(part, part + 2);
  }

  while (waiting.size() > 0) {
    const lowest = waiting.pop();
    const rank = Math.floor(lowest / RANK_UNIT);
    const left = lowest - rank * RANK_UNIT;
    // A part that has grown or gone since has another rank, or none.
    if (joins[left] !== rank) continue;

    const right = next[left] ?? length;
    const after = next[right] ?? length;
    next[left] = after;
    previous[after] = left;
    joins[right] = NO_JOIN;
    joins[left] = NO_JOIN;
    parts -= 1;
    const before = previous[left] ?? -1;
    if (before >= 0) listJoin(before, after);
    if (after < length) listJoin(left, next[after] ?? length);
  }
  return parts;
}

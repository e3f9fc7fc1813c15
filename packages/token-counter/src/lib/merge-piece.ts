import type { RankTable } from "./rank-table.ts";

const NO_RANK = 0x7fff_ffff;
/** Up to this many bytes a look along all pairs is faster than a heap. */
const SCAN_MAX_BYTES = 128;

/**
 * How many tokens a piece of `length` bytes becomes: the two neighbours whose join has the lowest rank are joined, the
 * leftmost of equals first, until no join is a token. Each byte is a token by itself.
 */
export function mergePiece(bytes: Uint8Array, length: number, ranks: RankTable): number {
  return length <= SCAN_MAX_BYTES ? mergeByScan(bytes, length, ranks) : mergeByHeap(bytes, length, ranks);
}

// Counting is synchronous and does not nest, so one scratch serves all.
const scanStarts = new Int32Array(SCAN_MAX_BYTES + 1);
const scanRanks = new Int32Array(SCAN_MAX_BYTES + 1);

/** Quadratic, without allocation: for the short pieces that nearly all text is made of. */
function mergeByScan(bytes: Uint8Array, length: number, ranks: RankTable): number {
  const starts = scanStarts;
  const joins = scanRanks;
  let count = length;
  for (let part = 0; part < length; part++) {
    starts[part] = part;
    joins[part] = part + 1 < length ? joinRank(bytes, part, part + 2, ranks) : NO_RANK;
  }
  starts[length] = length;

  while (count > 1) {
    let lowest = NO_RANK;
    let left = 0;
    for (let part = 0; part < count; part++) {
      const rank = joins[part] ?? NO_RANK;
      if (rank < lowest) {
        lowest = rank;
        left = part;
      }
    }
    if (lowest === NO_RANK) break;
    starts.copyWithin(left + 1, left + 2, count + 1);
    joins.copyWithin(left + 1, left + 2, count);
    count -= 1;
    if (left > 0) joins[left - 1] = joinRank(bytes, starts[left - 1] ?? 0, starts[left + 1] ?? 0, ranks);
    joins[left] = left + 1 < count ? joinRank(bytes, starts[left] ?? 0, starts[left + 2] ?? 0, ranks) : NO_RANK;
  }
  return count;
}

/** n log n: parts in a linked list, their joins in a heap; a join whose rank is no longer the listed one is stale. */
function mergeByHeap(bytes: Uint8Array, length: number, ranks: RankTable): number {
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  const joins = new Int32Array(length).fill(NO_RANK);
  // Every join ever listed: at first one a pair, then at most two a merge.
  const heap = new Float64Array(length * 3);
  let heapSize = 0;
  let count = length;

  function list(part: number, end: number) {
    const rank = joinRank(bytes, part, end, ranks);
    joins[part] = rank;
    if (rank === NO_RANK) return;
    // Rank and place in one exact number: lowest rank first, then leftmost.
    const entry = rank * 2 ** 32 + part;
    let at = heapSize++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (above <= entry) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  function takeLowest(): number {
    const lowest = heap[0] ?? 0;
    const last = heap[--heapSize] ?? 0;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heapSize) break;
      let below = heap[child] ?? 0;
      const right = heap[child + 1] ?? 0;
      if (child + 1 < heapSize && right < below) {
        child += 1;
        below = right;
      }
      if (below >= last) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return lowest;
  }

  for (let part = 0; part <= length; part++) {
    next[part] = part + 1;
    previous[part] = part - 1;
  }
  for (let part = 0; part + 1 < length; part++) list(part, part + 2);

  while (heapSize > 0) {
    const entry = takeLowest();
    const rank = Math.floor(entry / 2 ** 32);
    const part = entry - rank * 2 ** 32;
    if (joins[part] !== rank) continue;
    const right = next[part] ?? length;
    const after = next[right] ?? length;
    joins[right] = NO_RANK;
    next[part] = after;
    previous[after] = part;
    count -= 1;
    const before = previous[part] ?? -1;
    if (before >= 0) list(before, after);
    if (after < length) list(part, next[after] ?? length);
    else joins[part] = NO_RANK;
  }
  return count;
}

function joinRank(bytes: Uint8Array, start: number, end: number, ranks: RankTable): number {
  const rank = ranks.rankOf(bytes, start, end);
  return rank < 0 ? NO_RANK : rank;
}

import type { ByteMap } from "./byte-map.ts";

/** Up to this many bytes a look along all joins is faster than a heap. */
export const SCAN_MAX_BYTES = 128;

const NO_JOIN = 0x7fff_ffff;

/** Quadratic, without allocation: for the short pieces that nearly all text is made of. */
export function createScanMerge(ranks: ByteMap): (bytes: Uint8Array, length: number) => number {
  /** Part n is `bytes[starts[n]..starts[n + 1])`; `joins[n]` is the rank of parts n and n + 1 as one. */
  const starts = new Int32Array(SCAN_MAX_BYTES + 1);
  const joins = new Int32Array(SCAN_MAX_BYTES);

  function joinOf(bytes: Uint8Array, start: number, end: number): number {
    const rank = ranks.get(bytes, start, end);
    return rank < 0 ? NO_JOIN : rank;
  }

  return (bytes, length) => {
    let parts = length;
    for (let part = 0; part < length; part++) {
      starts[part] = part;
      joins[part] = part + 1 < length ? joinOf(bytes, part, part + 2) : NO_JOIN;
    }
    starts[length] = length;

    for (;;) {
      let lowest = NO_JOIN;
      let left = 0;
      for (let part = 0; part < parts - 1; part++) {
        const join = joins[part] ?? NO_JOIN;
        if (join >= lowest) continue;
        lowest = join;
        left = part;
      }
      if (lowest === NO_JOIN) return parts;

      starts.copyWithin(left + 1, left + 2, parts + 1);
      joins.copyWithin(left + 1, left + 2, parts);
      parts -= 1;
      if (left > 0) joins[left - 1] = joinOf(bytes, starts[left - 1] ?? 0, starts[left + 1] ?? 0);
      if (left + 1 < parts) joins[left] = joinOf(bytes, starts[left] ?? 0, starts[left + 2] ?? 0);
      else joins[left] = NO_JOIN;
    }
  };
}

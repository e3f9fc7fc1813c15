import type { ByteMap } from "./byte-map.ts";
import { mergeByHeap } from "./merge-by-heap.ts";
import { createScanMerge, SCAN_MAX_BYTES } from "./merge-by-scan.ts";

/** How many tokens the first `length` bytes become, which is at least one. */
export type MergePiece = (bytes: Uint8Array, length: number) => number;

/**
 * Merges as the encoder does: the two neighbours whose join has the lowest rank are joined, the leftmost of equals
 * first, until no join is a token. Every single byte is a token.
 */
export function createMergePiece(ranks: ByteMap): MergePiece {
  const mergeByScan = createScanMerge(ranks);
  return (bytes, length) => (length <= SCAN_MAX_BYTES ? mergeByScan(bytes, length) : mergeByHeap(bytes, length, ranks));
}

import { createByteMap } from "./byte-map.ts";
import { readCharacterClasses } from "./character-classes.ts";
import { type Encoding, loadEncodedRanks } from "./encoding.ts";
import { createMergePiece } from "./merge-piece.ts";
import { readRanks } from "./read-ranks.ts";
import { createPieceEnd } from "./split-pieces.ts";
import { writeUtf8 } from "./utf8.ts";

/** How many tokens a text is, exactly as the encoder cuts it, special tokens read as ordinary text. */
export type CountText = (text: string) => number;

/** A UTF-16 code unit is at most three bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3;
/** Longer pieces are rare and get an array of their own. */
const SCRATCH_BYTES = 4096;
/** A longer piece is not looked for among the seen ones: it is hardly met again, and would push out many. */
const SEEN_PIECE_MAX_BYTES = 256;
/** When the seen pieces reach these bounds they are forgotten: about 2 MB in all. */
const SEEN_CAPACITY = { maxKeys: 32_768, maxBytes: 2 ** 20 };

/** Loads the tables of an encoding: about 12 MB, and some tens of milliseconds. */
export async function createTextCounter(encoding: Encoding): Promise<CountText> {
  const ranks = readRanks(await loadEncodedRanks(encoding));
  const pieceEnd = createPieceEnd(encoding, readCharacterClasses());
  const mergePiece = createMergePiece(ranks);
  const seen = createByteMap(SEEN_CAPACITY);
  const scratch = new Uint8Array(SCRATCH_BYTES);

  function countPiece(bytes: Uint8Array, length: number): number {
    if (ranks.get(bytes, 0, length) >= 0) return 1;
    if (length > SEEN_PIECE_MAX_BYTES) return mergePiece(bytes, length);
    const known = seen.get(bytes, 0, length);
    if (known >= 0) return known;
    const tokens = mergePiece(bytes, length);
    if (!seen.add(bytes, 0, length, tokens)) {
      seen.clear();
      seen.add(bytes, 0, length, tokens);
    }
    return tokens;
  }

  return (text) => {
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      const end = pieceEnd(text, start);
      const maxBytes = (end - start) * MAX_BYTES_PER_UNIT;
      const bytes = maxBytes <= SCRATCH_BYTES ? scratch : new Uint8Array(maxBytes);
      tokens += countPiece(bytes, writeUtf8(text, start, end, bytes));
      start = end;
    }
    return tokens;
  };
}

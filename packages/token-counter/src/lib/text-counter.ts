import { readCharacterClasses } from "./character-classes.ts";
import { type Encoding, loadEncodedRanks } from "./encoding.ts";
import { mergePiece } from "./merge-piece.ts";
import { readRankTable } from "./rank-table.ts";
import { createPieceEnd } from "./split-pieces.ts";

/** How many tokens a text is, exactly as the encoding's encoder cuts it, special tokens read as ordinary text. */
export type CountText = (text: string) => number;

/** A UTF-16 code unit is at most three bytes of UTF-8. */
const BYTES_PER_UNIT = 3;
const SCRATCH_BYTES = 4096;

export async function createTextCounter(encoding: Encoding): Promise<CountText> {
  const ranks = readRankTable(await loadEncodedRanks(encoding));
  const pieceEnd = createPieceEnd(encoding, readCharacterClasses());
  const scratch = new Uint8Array(SCRATCH_BYTES);

  function countPiece(text: string, start: number, end: number): number {
    const room = (end - start) * BYTES_PER_UNIT;
    const bytes = room <= SCRATCH_BYTES ? scratch : new Uint8Array(room);
    const length = writeUtf8(text, start, end, bytes);
    return ranks.rankOf(bytes, 0, length) >= 0 ? 1 : mergePiece(bytes, length, ranks);
  }

  return (text) => {
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      const end = pieceEnd(text, start);
      tokens += countPiece(text, start, end);
      start = end;
    }
    return tokens;
  };
}

/** Writes `text[start..end)` and returns the number of bytes. A lone surrogate becomes U+FFFD, as in `TextEncoder`. */
function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array): number {
  let size = 0;
  for (let at = start; at < end; at++) {
    let codePoint = text.charCodeAt(at);
    if (codePoint < 0x80) {
      bytes[size++] = codePoint;
      continue;
    }
    if (codePoint < 0x800) {
      bytes[size++] = 0xc0 | (codePoint >> 6);
      bytes[size++] = 0x80 | (codePoint & 0x3f);
      continue;
    }
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) {
      codePoint = text.codePointAt(at) ?? 0xfffd;
      if (codePoint > 0xffff) {
        bytes[size++] = 0xf0 | (codePoint >> 18);
        bytes[size++] = 0x80 | ((codePoint >> 12) & 0x3f);
        bytes[size++] = 0x80 | ((codePoint >> 6) & 0x3f);
        bytes[size++] = 0x80 | (codePoint & 0x3f);
        at += 1;
        continue;
      }
      codePoint = 0xfffd;
    }
    bytes[size++] = 0xe0 | (codePoint >> 12);
    bytes[size++] = 0x80 | ((codePoint >> 6) & 0x3f);
    bytes[size++] = 0x80 | (codePoint & 0x3f);
  }
  return size;
}

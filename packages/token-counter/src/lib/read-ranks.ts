import { type ByteMap, createByteMap } from "./byte-map.ts";

const SEPARATOR = 255;
const PADDING = 254;

/**
 * Reads the ranks of an encoding's tokens, by which pieces are merged, as tiktoken ships them: lines of
 * `! <first rank> <token in base64> <token in base64> …`, ranks counting up.
 */
export function readRanks(encodedRanks: string): ByteMap {
  const lines = encodedRanks.split("\n").filter((line) => line !== "");
  const ranks = createByteMap({
    maxKeys: countSpaces(encodedRanks),
    maxBytes: Math.ceil((encodedRanks.length * 3) / 4),
  });
  const sextets = base64Sextets();
  const token = new Uint8Array(Math.ceil((encodedRanks.length * 3) / 4));
  for (const line of lines) {
    let rank = Number(line.split(" ", 2)[1]);
    let at = line.indexOf(" ", 2) + 1;
    while (at < line.length) {
      let size = 0;
      let bits = 0;
      let bitCount = 0;
      for (; at < line.length; at++) {
        const sextet = sextets[line.charCodeAt(at)] ?? SEPARATOR;
        if (sextet === SEPARATOR) break;
        if (sextet === PADDING) continue;
        bits = (bits << 6) | sextet;
        bitCount += 6;
        if (bitCount < 8) continue;
        bitCount -= 8;
        token[size++] = (bits >> bitCount) & 0xff;
      }
      if (!ranks.add(token, 0, size, rank)) throw new Error(`there is no room for the token of rank ${rank}`);
      rank += 1;
      at += 1;
    }
  }
  return ranks;
}

function countSpaces(text: string): number {
  let count = 0;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) count += 1;
  return count;
}

function base64Sextets(): Uint8Array {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const sextets = new Uint8Array(128).fill(SEPARATOR);
  for (let sextet = 0; sextet < alphabet.length; sextet++) sextets[alphabet.charCodeAt(sextet)] = sextet;
  sextets["=".charCodeAt(0)] = PADDING;
  return sextets;
}

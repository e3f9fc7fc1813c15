import { characterClassRuns } from "./character-class-runs.ts";

/** May stand in the first, upper-case part of a word: an upper-case letter, one without case, a mark. */
export const UPPER = 1;
/** May stand in the second, lower-case part of a word: a lower-case letter, one without case, a mark. */
export const LOWER = 2;
export const LETTER = 4;
export const NUMBER = 8;
export const SPACE = 16;
/** Carriage return and line feed; both are also `SPACE`. */
export const NEWLINE = 32;

const classesByLetter: Readonly<Record<string, number>> = {
  U: UPPER | LETTER,
  L: LOWER | LETTER,
  C: UPPER | LOWER | LETTER,
  M: UPPER | LOWER,
  N: NUMBER,
  S: SPACE,
  R: SPACE | NEWLINE,
  O: 0,
};

/**
 * The classes of every code point, as bits, indexed by code point. The engine's own `\p{…}` is not used: it follows
 * the Unicode version of the engine, while the encoder's pattern follows the one it was compiled with, and its `\s`
 * takes U+FEFF for a space and U+0085 for none.
 */
export function readCharacterClasses(): Uint8Array {
  const classes = new Uint8Array(0x11_0000);
  let codePoint = 0;
  for (const [, length, letter = "O"] of characterClassRuns.matchAll(/([0-9a-z]*)([A-Z])/g)) {
    const end = codePoint + (length ? Number.parseInt(length, 36) : 1);
    classes.fill(classesByLetter[letter] ?? 0, codePoint, end);
    codePoint = end;
  }
  return classes;
}

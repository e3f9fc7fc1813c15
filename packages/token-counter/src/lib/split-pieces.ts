import { LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER } from "./character-classes.ts";
import { contractionEnd } from "./contraction-end.ts";
import type { Encoding } from "./encoding.ts";

/** Where the piece that starts at `start` ends. `start` must be below the text's length. */
export type PieceEnd = (text: string, start: number) => number;

const SPACE_CHARACTER = 0x20;
const SLASH = 0x2f;

/**
 * The patterns by which the encodings cut text into pieces before they merge bytes, as scanners. Each takes the same
 * matches as the regular expression (in the comments below) does when it tries its alternatives in order and
 * backtracks, but reads every character at most a few times, so that no text is slow and none overflows a stack.
 */
export function createPieceEnd(encoding: Encoding, classes: Uint8Array): PieceEnd {
  const trailingSign = encoding === "o200k_base" ? SLASH : undefined;

  /** The end of the longest run from `at` on whose classes have any of the `wanted` bits. */
  function runEnd(text: string, at: number, wanted: number): number {
    let end = at;
    while (end < text.length) {
      const codePoint = text.codePointAt(end) ?? 0;
      if (((classes[codePoint] ?? 0) & wanted) === 0) break;
      end += codePoint > 0xffff ? 2 : 1;
    }
    return end;
  }

  /** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`; `at` itself when it does not match. */
  function lowerWordEnd(text: string, at: number): number {
    let end = at;
    // What backtracking would give: the upper-case part ends before the last character that both parts may hold.
    let lastSharedEnd = at;
    while (end < text.length) {
      const codePoint = text.codePointAt(end) ?? 0;
      const bits = classes[codePoint] ?? 0;
      if ((bits & UPPER) === 0) return (bits & LOWER) === 0 ? lastSharedEnd : runEnd(text, end, LOWER);
      end += codePoint > 0xffff ? 2 : 1;
      if ((bits & LOWER) !== 0) lastSharedEnd = end;
    }
    return lastSharedEnd;
  }

  /** `\p{N}{1,3}` behind its first number. */
  function numberEnd(text: string, at: number): number {
    let end = at;
    for (let more = 2; more > 0 && end < text.length; more--) {
      const codePoint = text.codePointAt(end) ?? 0;
      if (((classes[codePoint] ?? 0) & NUMBER) === 0) break;
      end += codePoint > 0xffff ? 2 : 1;
    }
    return end;
  }

  /** `[^\s\p{L}\p{N}]+[\r\n]*`, in o200k_base `[\r\n/]*`; `at` itself when it does not match. */
  function signsEnd(text: string, at: number): number {
    let end = at;
    while (end < text.length) {
      const codePoint = text.codePointAt(end) ?? 0;
      if (((classes[codePoint] ?? 0) & (SPACE | LETTER | NUMBER)) !== 0) break;
      end += codePoint > 0xffff ? 2 : 1;
    }
    if (end === at) return at;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      if (((classes[unit] ?? 0) & NEWLINE) === 0 && unit !== trailingSign) break;
    }
    return end;
  }

  /** `\s*[\r\n]+|\s+(?!\S)|\s+`. All white space is one code unit long. */
  function whiteSpaceEnd(text: string, start: number): number {
    let end = start;
    let lastNewlineEnd = start;
    while (end < text.length) {
      const bits = classes[text.charCodeAt(end)] ?? 0;
      if ((bits & SPACE) === 0) break;
      end += 1;
      if ((bits & NEWLINE) !== 0) lastNewlineEnd = end;
    }
    if (lastNewlineEnd > start) return lastNewlineEnd;
    // The last space goes with the word behind it.
    return end === text.length || end - start === 1 ? end : end - 1;
  }

  /** ` ?` + signs, else white space. */
  function signsOrSpaceEnd(text: string, start: number): number {
    const signsStart = text.charCodeAt(start) === SPACE_CHARACTER ? start + 1 : start;
    const end = signsEnd(text, signsStart);
    return end > signsStart ? end : whiteSpaceEnd(text, start);
  }

  function o200kPieceEnd(text: string, start: number): number {
    const first = text.codePointAt(start) ?? 0;
    const bits = classes[first] ?? 0;
    const afterFirst = start + (first > 0xffff ? 2 : 1);

    if ((bits & NUMBER) !== 0) return numberEnd(text, afterFirst);

    if ((bits & NEWLINE) === 0) {
      // Both word alternatives are `[^\r\n\p{L}\p{N}]?` + word + contraction; the second takes upper case alone.
      const wordStart = (bits & LETTER) === 0 ? afterFirst : start;
      let wordEnd = lowerWordEnd(text, wordStart);
      if (wordEnd === wordStart) {
        // A mark alone is a word to the first alternative, which is tried to its end before the second.
        if ((bits & LOWER) !== 0) return contractionEnd(text, afterFirst);
        wordEnd = runEnd(text, wordStart, UPPER);
      }
      if (wordEnd > wordStart) return contractionEnd(text, wordEnd);
    }

    return signsOrSpaceEnd(text, start);
  }

  function cl100kPieceEnd(text: string, start: number): number {
    const first = text.codePointAt(start) ?? 0;
    const bits = classes[first] ?? 0;
    const afterFirst = start + (first > 0xffff ? 2 : 1);

    if ((bits & NUMBER) !== 0) return numberEnd(text, afterFirst);

    const contraction = contractionEnd(text, start);
    if (contraction > start) return contraction;

    if ((bits & NEWLINE) === 0) {
      // `[^\r\n\p{L}\p{N}]?\p{L}+`
      const wordEnd = runEnd(text, afterFirst, LETTER);
      if (wordEnd > afterFirst || (bits & LETTER) !== 0) return wordEnd;
    }

    return signsOrSpaceEnd(text, start);
  }

  return encoding === "o200k_base" ? o200kPieceEnd : cl100kPieceEnd;
}

/** What stands right before a word: encoders take a space or a single sign into the word's piece. */
export type WordLead = "space" | "sign" | "none";

interface WordCost {
  /** Of a word up to `plainLength` letters. */
  readonly base: number;
  readonly plainLength: number;
  readonly perFurtherLetter: number;
}

const smallCosts: Readonly<Record<WordLead, WordCost>> = {
  space: { base: 1.01, plainLength: 6, perFurtherLetter: 0.035 },
  none: { base: 1.05, plainLength: 4, perFurtherLetter: 0.05 },
  sign: { base: 1.08, plainLength: 2, perFurtherLetter: 0.11 },
};

const capitalCosts: Readonly<Record<WordLead, WordCost>> = {
  space: { base: 1, plainLength: 2, perFurtherLetter: 0.18 },
  none: { base: 1.03, plainLength: 1, perFurtherLetter: 0.23 },
  sign: { base: 1.06, plainLength: 1, perFurtherLetter: 0.2 },
};

/** Past this length words are rarely words. */
const LONG_WORD_LENGTH = 13;
const PER_LETTER_OF_LONG_WORD = 0.35;
/** Past this length they are none: each letter takes what it takes in a scrambled text. */
const LONGEST_WORD_LENGTH = 32;
const PER_SCRAMBLED_LETTER = 0.55;
const PER_SCRAMBLED_LETTER_BEYOND_ASCII = 1;
const MIXED_CASE_BASE = 1.4;
const MIXED_CASE_PER_LETTER = 0.2;
const ACCENTED_BASE = 0.85;
const ACCENTED_PER_LETTER = 0.1;
const RARE_BASE = 0.45;
const RARE_PER_LETTER = 0.22;

/**
 * `plain`: nothing but ASCII; `accented`: letters as French, Spanish or Portuguese have them; `rare`: a word of a language
 * with umlauts or letters beyond Latin-1 (German, Polish, Turkish, …), whose words the vocabularies hold less often.
 */
export type WordLanguage = "plain" | "accented" | "rare";

export interface LatinWord {
  /** ASCII capitals at its beginning. */
  readonly capitals: number;
  /** All letters behind them. */
  readonly small: number;
  readonly language: WordLanguage;
  readonly lead: WordLead;
}

/** What a Latin word takes on average, the space or sign before it included. */
export function wordTokens(word: LatinWord): number {
  const length = Math.min(word.capitals + word.small, LONGEST_WORD_LENGTH);
  const perScrambled = word.language === "plain" ? PER_SCRAMBLED_LETTER : PER_SCRAMBLED_LETTER_BEYOND_ASCII;
  return usualWordTokens(word, length) + perScrambled * (word.capitals + word.small - length);
}

function usualWordTokens({ capitals, small, language, lead }: LatinWord, length: number): number {
  if (language === "accented") return ACCENTED_BASE + ACCENTED_PER_LETTER * length;
  if (language === "rare") return RARE_BASE + RARE_PER_LETTER * length;
  if (capitals > 1 && small > 0) return MIXED_CASE_BASE + MIXED_CASE_PER_LETTER * length;
  const { base, plainLength, perFurtherLetter } = (small === 0 ? capitalCosts : smallCosts)[lead];
  return (
    base +
    perFurtherLetter * Math.max(0, length - plainLength) +
    PER_LETTER_OF_LONG_WORD * Math.max(0, length - LONG_WORD_LENGTH)
  );
}

/** By the letters of `text[start..end)` alone. */
export function wordLanguage(text: string, start: number, end: number): WordLanguage {
  let language: WordLanguage = "plain";
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0xff || umlauts.includes(unit)) return "rare";
    if (unit > 0x7f) language = "accented";
  }
  return language;
}

/** ä ö ü ß Ä Ö Ü */
const umlauts: readonly number[] = [0xe4, 0xf6, 0xfc, 0xdf, 0xc4, 0xd6, 0xdc];

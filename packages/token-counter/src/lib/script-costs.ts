/** What a run of one script takes: so much to begin with, and so much for each UTF-16 code unit. */
export interface ScriptCost {
  readonly last: number;
  readonly perRun: number;
  readonly perUnit: number;
}

const fullWidth: ScriptCost = { last: 0xffff, perRun: 0, perUnit: 0.9 };

/** In the order of the code units, from U+0080 on; each goes up to `last`, from where the one before it ended. */
const scriptCosts: readonly ScriptCost[] = [
  { last: 0x009f, perRun: 0, perUnit: 2 }, // controls
  { last: 0x036f, perRun: 0, perUnit: 1 }, // signs of Latin-1, phonetic letters, marks
  { last: 0x03ff, perRun: 0.6, perUnit: 0.3 }, // Greek
  { last: 0x052f, perRun: 0.57, perUnit: 0.19 }, // Cyrillic
  { last: 0x05ff, perRun: 0.6, perUnit: 0.32 }, // Armenian, Hebrew
  { last: 0x08ff, perRun: 0.5, perUnit: 0.24 }, // Arabic
  { last: 0x10ff, perRun: 0.7, perUnit: 0.3 }, // Indic scripts, Thai, Georgian
  { last: 0x177f, perRun: 0.6, perUnit: 1.9 }, // Ethiopic, Cherokee and others that the vocabulary hardly holds
  { last: 0x1fff, perRun: 0.6, perUnit: 0.7 },
  { last: 0x2e7f, perRun: 0.3, perUnit: 0.8 }, // punctuation, arrows, box drawing, symbols
  { last: 0x2fff, perRun: 0, perUnit: 2 },
  { last: 0x303f, perRun: 0, perUnit: 0.9 }, // CJK punctuation
  { last: 0x30ff, perRun: 0.15, perUnit: 0.6 }, // kana
  { last: 0x33ff, perRun: 0, perUnit: 1.6 },
  { last: 0x9fff, perRun: 0.16, perUnit: 0.71 }, // Han
  { last: 0xabff, perRun: 0, perUnit: 2 },
  { last: 0xd7ff, perRun: 0.46, perUnit: 0.61 }, // Hangul
  { last: 0xdfff, perRun: 0, perUnit: 1.4 }, // halves of surrogate pairs: emoji, rare Han
  { last: 0xf8ff, perRun: 0, perUnit: 3 }, // private use
  { last: 0xfaff, perRun: 0, perUnit: 2 },
  { last: 0xfeff, perRun: 0.5, perUnit: 1 },
  fullWidth,
];

/** The cost of the script of a code unit of U+0080 or above. */
export function scriptCost(unit: number): ScriptCost {
  let low = 0;
  let high = scriptCosts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scriptCosts[middle]?.last ?? 0) < unit) low = middle + 1;
    else high = middle;
  }
  return scriptCosts[low] ?? fullWidth;
}

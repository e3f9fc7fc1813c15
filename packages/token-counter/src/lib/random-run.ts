import { CAPITAL, DIGIT, SIGN, SMALL, unitKind } from "./unit-kind.ts";

/** Base64 without a break: measured 0.68 tokens a character in `o200k_base`, 0.72 in `cl100k_base`. */
export const TOKENS_PER_RANDOM_UNIT = 0.69;

const MIN_RANDOM_UNITS = 32;
/** Of base64 characters 0.62 differ in kind from the one before; of words and names rarely more than 0.4. */
const MIN_CHANGES_PER_UNIT = 0.5;

export interface UnbrokenRun {
  readonly end: number;
  /** Base64 or the like: no word in it, so that it takes more tokens than any text of its length. */
  readonly isRandom: boolean;
}

/** The run of characters of the base64 alphabets that starts at `start`. */
export function unbrokenRun(text: string, start: number): UnbrokenRun {
  let kinds = 0;
  let changes = 0;
  let previous = 0;
  let end = start;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit > 0x7f) break;
    const kind = unitKind(unit);
    if (kind === SIGN ? !isBase64Sign(unit) : kind < DIGIT) break;
    if (kind !== previous) changes += 1;
    kinds |= 1 << kind;
    previous = kind;
  }
  const hasAllKinds = (kinds & RANDOM_KINDS) === RANDOM_KINDS;
  const length = end - start;
  return { end, isRandom: hasAllKinds && length >= MIN_RANDOM_UNITS && changes >= length * MIN_CHANGES_PER_UNIT };
}

const RANDOM_KINDS = (1 << DIGIT) | (1 << CAPITAL) | (1 << SMALL);

/** `+ / = - _` */
function isBase64Sign(unit: number): boolean {
  return unit === 0x2b || unit === 0x2f || unit === 0x3d || unit === 0x2d || unit === 0x5f;
}

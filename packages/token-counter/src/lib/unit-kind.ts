/** What a UTF-16 code unit is to the estimator, as a number: it looks at every unit of a text more than once. */
export const NEWLINE = 1;
export const SPACE = 2;
export const DIGIT = 3;
/** An ASCII capital. */
export const CAPITAL = 4;
/** Any other Latin letter, also one with an accent. */
export const SMALL = 5;
/** All other ASCII. */
export const SIGN = 6;
/** All other scripts and symbols. */
export const SCRIPT = 7;

export function unitKind(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return SMALL;
  if (unit === 0x20 || unit === 0x09) return SPACE;
  if (unit === 0x0a || unit === 0x0d) return NEWLINE;
  if (unit >= 0x30 && unit <= 0x39) return DIGIT;
  if (unit >= 0x41 && unit <= 0x5a) return CAPITAL;
  if (unit < 0x80) return SIGN;
  return unit >= 0xc0 && unit <= 0x24f ? SMALL : SCRIPT;
}

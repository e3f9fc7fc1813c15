/**
 * Where a text may be cut so that the tokens of the parts add up to the tokens of the whole. Encoders first split a
 * text into pieces by a pattern and merge inside a piece only, so a cut is exact where a piece always ends: no piece of
 * the patterns in use goes on from a newline to the next line's first character (a slash aside), from a character to
 * the space behind it, or from a letter or a digit to another kind of character.
 */
export interface TextCut {
  /** Index of the first UTF-16 code unit behind the cut. */
  readonly end: number;
  readonly exact: boolean;
}

/**
 * The end of the next part of `text` from `start`: about `size` code units on, at a line start if one is near, else at
 * a space, else between kinds of characters. A run without any of these goes on up to `maxSize`; a longer one is cut
 * there, which is not exact.
 */
export function nextCut(
  text: string,
  start: number,
  { size, maxSize }: { readonly size: number; readonly maxSize: number },
): TextCut {
  if (text.length - start <= size) return { end: text.length, exact: true };
  const target = start + size;
  const cut =
    lastLineStart(text, target, start + Math.ceil(size / 2)) ??
    lastSpace(text, target, start + 1) ??
    lastChangeOfKind(text, target, start + 1);
  if (cut !== undefined) return { end: cut, exact: true };
  const last = Math.min(text.length - 1, start + maxSize);
  for (let at = target + 1; at <= last; at++) {
    if (isLineStart(text, at) || isBeforeSpace(text, at) || isBetweenKinds(text, at)) return { end: at, exact: true };
  }
  if (text.length - start <= maxSize) return { end: text.length, exact: true };
  return { end: isLowSurrogate(text, last) ? last + 1 : last, exact: false };
}

function lastLineStart(text: string, from: number, downTo: number): number | undefined {
  // A slice, because a search from the end of the whole text would go on to its beginning.
  const stretch = text.slice(downTo - 1, from);
  for (let end = stretch.length; end > 0; ) {
    end = stretch.lastIndexOf("\n", end - 1);
    if (end >= 0 && isLineStart(text, downTo + end)) return downTo + end;
  }
  return undefined;
}

function lastSpace(text: string, from: number, downTo: number): number | undefined {
  for (let at = from; at >= downTo; at--) if (isBeforeSpace(text, at)) return at;
  return undefined;
}

function lastChangeOfKind(text: string, from: number, downTo: number): number | undefined {
  for (let at = from; at >= downTo; at--) if (isBetweenKinds(text, at)) return at;
  return undefined;
}

function isLineStart(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 10 && text.charCodeAt(at) !== 47 && !isSpace(text, at);
}

function isBeforeSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 32 || code === 9) && !isSpace(text, at - 1);
}

function isBetweenKinds(text: string, at: number): boolean {
  // Halves of a surrogate pair have no kind of their own: no cut beside them.
  const before = kindAt(text, at - 1);
  if (before === "letter") {
    const after = kindAt(text, at);
    return after === "digit" || (after === "other" && text.charCodeAt(at) !== 39);
  }
  if (before === "digit") {
    const after = kindAt(text, at);
    return after === "letter" || after === "mark" || after === "other";
  }
  return false;
}

type Kind = "letter" | "mark" | "digit" | "space" | "surrogate" | "other";

function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at);
  if (code < 128) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return "letter";
    if (code >= 48 && code <= 57) return "digit";
    return isSpace(text, at) ? "space" : "other";
  }
  if (code >= 0xd800 && code <= 0xdfff) return "surrogate";
  const character = text.charAt(at);
  if (/\p{L}/u.test(character)) return "letter";
  // What this engine's Unicode version does not name may be a letter to the encoder.
  if (/[\p{M}\p{Cn}]/u.test(character)) return "mark";
  if (/\p{N}/u.test(character)) return "digit";
  return isSpace(text, at) ? "space" : "other";
}

/** What any of the patterns takes for white space. */
export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return /[\s\u0085]/u.test(text.charAt(at));
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

const REPLACEMENT_CHARACTER = 0xfffd;

/**
 * Writes `text[start..end)` from the beginning of `bytes` and returns the number of bytes, at most three a code unit.
 * A lone surrogate becomes U+FFFD. (`TextEncoder` does the same and needs a new string for every piece.)
 */
export function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array): number {
  let size = 0;
  for (let at = start; at < end; at++) {
    let codePoint = text.charCodeAt(at);
    if (codePoint < 0x80) {
      bytes[size++] = codePoint;
      continue;
    }
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) codePoint = text.codePointAt(at) ?? codePoint;
    if (codePoint < 0x800) {
      bytes[size++] = 0xc0 | (codePoint >> 6);
    } else {
      if (codePoint > 0xffff) {
        at += 1;
        bytes[size++] = 0xf0 | (codePoint >> 18);
        bytes[size++] = 0x80 | ((codePoint >> 12) & 0x3f);
      } else {
        if (codePoint >= 0xd800 && codePoint <= 0xdfff) codePoint = REPLACEMENT_CHARACTER;
        bytes[size++] = 0xe0 | (codePoint >> 12);
      }
      bytes[size++] = 0x80 | ((codePoint >> 6) & 0x3f);
    }
    bytes[size++] = 0x80 | (codePoint & 0x3f);
  }
  return size;
}

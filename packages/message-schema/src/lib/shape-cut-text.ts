const markers = /\[… (\d+) characters left out …\]/g;

/** Room for a marker. A text that is no longer than this is never cut. */
export const markerCharacters = 40;

/**
 * The head and the tail of the text, `characters` long together, with a marker between them that says how many UTF-16
 * code units are gone; the text itself when the marker would save nothing. Never cut inside a surrogate pair. A marker
 * of an earlier cut is absorbed: the new one says the sum.
 */
export function cutText(text: string, characters: number): string {
  let head = characters >> 1;
  let tail = text.length - characters + head;
  let goneBefore = 0;
  if (tail - head <= markerCharacters) return text;
  for (const { index, 0: marker, 1: gone } of text.matchAll(markers)) {
    const end = index + marker.length;
    if (end > head && index < tail) {
      head = Math.min(head, index);
      tail = Math.max(tail, end);
      goneBefore += Number(gone) - marker.length;
    }
  }
  const splitsPair = (at: number): number => Number((text.codePointAt(at - 1) ?? 0) > 0xffff);
  head -= splitsPair(head);
  tail += splitsPair(tail);
  return `${text.slice(0, head)}[… ${tail - head + goneBefore} characters left out …]${text.slice(tail)}`;
}

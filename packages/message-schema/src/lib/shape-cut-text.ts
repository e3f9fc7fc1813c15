const markers = /\[… (\d+) characters left out …\]/g;

/** Room for a marker. A text that is no longer than this is never cut. */
export const markerCharacters = 40;

/**
 * The head and the tail of the text with a marker between them that says how many UTF-16 code units are gone, in at
 * most `maxCharacters`, or only the marker when that is all there is room for. Never longer than the text, never cut
 * inside a surrogate pair. A marker of an earlier cut is absorbed: the new one says the sum.
 */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= Math.max(maxCharacters, markerCharacters)) return text;
  const room = Math.max(0, maxCharacters - markerCharacters);
  let head = room >> 1;
  let tail = text.length - (room - head);
  let goneBefore = 0;
  for (const { index, 0: marker, 1: gone } of text.matchAll(markers)) {
    const end = index + marker.length;
    if (end <= head || index >= tail) continue;
    head = Math.min(head, index);
    tail = Math.max(tail, end);
    goneBefore += Number(gone) - marker.length;
  }
  if (splitsPair(text, head)) head -= 1;
  if (splitsPair(text, tail)) tail += 1;
  return `${text.slice(0, head)}[… ${tail - head + goneBefore} characters left out …]${text.slice(tail)}`;
}

const splitsPair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

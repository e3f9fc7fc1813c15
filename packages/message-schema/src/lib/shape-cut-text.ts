const marker = (gone: number): string => `[… ${gone} characters left out …]`;
const markers = /\[… (\d+) characters left out …\]/g;

const splitsSurrogatePair = (text: string, at: number): boolean =>
  /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at));

/** Length of the shortest text that `cutText` makes of one of this length. */
export const shortestCut = (length: number): number => Math.min(length, marker(length).length);

/**
 * The head and the tail of the text with a marker between them that says how many UTF-16 code units are gone, in at
 * most `maxCharacters`, or only the marker when that is all there is room for. Never longer than the text, never
 * cut inside a surrogate pair. A marker of an earlier cut is absorbed: the new one says the sum.
 */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= Math.max(maxCharacters, shortestCut(text.length))) return text;
  const earlier = [...text.matchAll(markers)];
  const goneAtMost = earlier.reduce((sum, match) => sum + Number(match[1]), text.length);
  const room = Math.max(0, maxCharacters - marker(goneAtMost).length);
  let head = Math.ceil(room / 2);
  let tail = text.length - (room - head);
  if (splitsSurrogatePair(text, head)) head -= 1;
  if (splitsSurrogatePair(text, tail)) tail += 1;
  let alreadyGone = 0;
  for (const match of earlier) {
    const end = match.index + match[0].length;
    if (end <= head || match.index >= tail) continue;
    head = Math.min(head, match.index);
    tail = Math.max(tail, end);
    alreadyGone += Number(match[1]) - match[0].length;
  }
  return text.slice(0, head) + marker(tail - head + alreadyGone) + text.slice(tail);
}

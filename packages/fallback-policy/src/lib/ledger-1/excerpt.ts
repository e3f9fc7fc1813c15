/** The beginning of a text on one line, at most `maxCharacters` UTF-16 code units and a sign that there was more. */
export function excerpt(text: string, maxCharacters: number): string {
  const line = oneLine(text.slice(0, maxCharacters * 8));
  const isWhole = line.length <= maxCharacters && text.length <= maxCharacters * 8;
  return isWhole ? line : `${wholeCharacters(line.slice(0, maxCharacters))}…`;
}

/** The beginning and the end of a text on one line: commands often differ only there. */
export function excerptOfEnds(text: string, maxCharacters: number): string {
  const line = oneLine(text);
  if (line.length <= maxCharacters) return line;
  const half = Math.floor(maxCharacters / 2);
  return `${wholeCharacters(line.slice(0, half))} … ${wholeCharacters(line.slice(-half))}`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Without half a surrogate pair at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

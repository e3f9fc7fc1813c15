const GONE = "…";
const GONE_INSIDE = " … ";

/** The beginning of a text on one line, at most `maxCharacters` UTF-16 code units with the sign that there was more. */
export function excerpt(text: string, maxCharacters: number): string {
  const line = oneLine(text.slice(0, maxCharacters * 8));
  const isWhole = line.length <= maxCharacters && text.length <= maxCharacters * 8;
  return isWhole ? line : `${wholeCharacters(line.slice(0, maxCharacters - GONE.length))}${GONE}`;
}

/** The beginning and the end of a text on one line: paths and commands often differ only there. */
export function excerptOfEnds(text: string, maxCharacters: number): string {
  const line = oneLine(text);
  if (line.length <= maxCharacters) return line;
  const half = Math.floor((maxCharacters - GONE_INSIDE.length) / 2);
  return `${wholeCharacters(line.slice(0, half))}${GONE_INSIDE}${wholeCharacters(line.slice(-half))}`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Without half a surrogate pair at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

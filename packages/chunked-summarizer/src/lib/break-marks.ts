/**
 * Puts a backslash behind the first character of every reserved mark in `text`, whatever its case, so that nothing that
 * looks for the mark finds it.
 */
export function breakMarks(text: string, marks: readonly string[]): string {
  const patterns = marks
    .filter((mark) => mark !== "")
    .map((mark) => mark.toWellFormed().replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  if (patterns.length === 0) return text;
  // By code points: the first character may be a surrogate pair.
  return text.replace(new RegExp(patterns.join("|"), "giu"), (mark) => {
    const [first = ""] = mark;
    return `${first}\\${mark.slice(first.length)}`;
  });
}

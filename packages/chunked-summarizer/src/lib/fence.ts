export type Fence = "transcript" | "previous-summary" | "files";

/** Anything that a reader could take for the beginning or the end of a fence. Linear also in a text of spaces. */
const fenceMark = /<(?=\s*(?:\/\s*)?(?:transcript|previous-summary|files)\b)/gi;

/** Breaks the fences' marks in a text from outside. The text is then measured and sent as it is. */
export function escapeFences(text: string): string {
  return text.includes("<") ? text.replace(fenceMark, "<\\") : text;
}

/** Puts a text whose marks are broken between the fence's marks. */
export function fenced(fence: Fence, text: string): string {
  return `<${fence}>\n${text}\n</${fence}>`;
}

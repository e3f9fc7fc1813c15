/// <reference lib="es2024.string" />
/** Content lines that would read as a header of the rendering. */
const posesAsHeader = /^\[(?=(?:system|user|assistant|tool call|tool result|reasoning|note)\b)/gim;

/** Bytes of a picture or a file that came as text. Shorter ones cost less than their placeholder explains. */
const dataUrl = /\bdata:([\w.+-]+\/[\w.+-]+)?((?:;[\w.=+-]+)*);base64,([A-Za-z0-9+/_=-]{256,})/g;

/** Text of a message, well formed and without the bytes of data URLs; blank text is empty. */
export function plainText(text: string): string {
  return text.trim() === "" ? "" : withoutDataUrls(text.toWellFormed());
}

/** Puts a backslash before what would read as a header of the rendering. */
export function escapeHeaders(text: string): string {
  return text.startsWith("[") || text.includes("\n[") ? breakHeaders(text) : text;
}

function breakHeaders(text: string): string {
  return text.replace(posesAsHeader, "\\[");
}

/** A JSON value on one line. */
export function dataLine(value: unknown): string {
  return withoutDataUrls(JSON.stringify(value) ?? "");
}

/** A name from outside inside a header: one short line that cannot close the brackets. */
export function label(name: string): string {
  return (
    name
      .slice(0, 128)
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}[\]]+/gu, " ")
      .trim() || "unnamed"
  );
}

/**
 * A tool's result with its headers escaped. Of one longer than `maxCharacters` that many stay, half of them from its end:
 * the verdict of a tool stands there.
 */
export function resultText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return escapeHeaders(text);
  const headEnd = Math.ceil(maxCharacters / 2);
  const tailStart = text.length - Math.floor(maxCharacters / 2);
  const head = text.slice(0, splitsPair(text, headEnd) ? headEnd - 1 : headEnd);
  const tail = text.slice(splitsPair(text, tailStart) ? tailStart + 1 : tailStart);
  const leftOut = text.length - head.length - tail.length;
  // Escaped after the cut: the tail may begin anywhere in a line.
  return `${breakHeaders(head)}\n[… ${leftOut} characters left out …]\n${breakHeaders(tail)}`;
}

function withoutDataUrls(text: string): string {
  // Most texts hold none, and this look is much faster.
  if (!text.includes(";base64,")) return text;
  return text.replace(
    dataUrl,
    (_url, mimeType: string | undefined, _parameters, data: string) =>
      `[data: ${mimeType ?? "unknown"}, ${data.length} characters left out]`,
  );
}

/** Whether `index` stands inside a surrogate pair of well-formed text. */
function splitsPair(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}

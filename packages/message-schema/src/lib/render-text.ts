/**
 * A bracket that would read as a header of the rendering: at the beginning of anything that a reader takes for a line,
 * also behind spaces and characters that are not seen.
 */
const posesAsHeader =
  /\[(?=[\p{Zs}\t\p{Cf}]*(?:system|user|assistant|tool[\p{Zs}\t\p{Cf}]*(?:call|result)|reasoning|note)(?![\p{L}\p{N}_]))(?<=(?:^|[\v\f\u0085])[\p{Zs}\t\p{Cf}]*\[)/gimu;

/** Bytes of a picture or a file that came as text, in one piece or wrapped, also inside a JSON string. */
const dataUrl =
  /\bdata:\s{0,4}([\w.+-]+\/[\w.+-]+)?(?:\s{0,4};\s{0,4}[\w.+-]+(?:=(?:"[^"\n]{0,64}"|[\w.+-]+))?)*\s{0,4};\s{0,4}base64\s{0,4},\s{0,4}((?:[\w+/=-]{16,})(?:(?:\s|\\[rn]){1,4}[\w+/=-]{40,})*(?:(?:\s|\\[rn]){1,4}[\w+/-]{2,}={1,2})?)/gi;

/** Shorter bytes cost less than their placeholder explains. */
const MIN_DATA_CHARACTERS = 256;

const base64 = /^[\w+/=\s-]+$/;

/** Text of a message, well formed and without the bytes of data URLs; blank text is empty. */
export function plainText(text: string): string {
  return text.trim() === "" ? "" : withoutDataUrls(text.toWellFormed());
}

/** Puts a backslash before what would read as a header of the rendering. */
export function escapeHeaders(text: string): string {
  return mayPose(text) ? text.replace(posesAsHeader, "\\[") : text;
}

/** A look without the pattern, which most texts pass: brackets with other ASCII in front of them on their line. */
function mayPose(text: string): boolean {
  for (let at = text.indexOf("["); at >= 0; at = text.indexOf("[", at + 1)) {
    let before = at - 1;
    while (before >= 0 && isBlank(text.charCodeAt(before))) before -= 1;
    const code = before < 0 ? 0 : text.charCodeAt(before);
    if (code < 32 || code > 126) return true;
  }
  return false;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** A JSON value on one line, without the bytes of data URLs and of base64 fields named `data`. Never throws. */
export function dataLine(value: unknown): string {
  let json = stringify(value);
  // What is replaced inside makes engines much slower, and most calls hold none of it.
  if (json === undefined || json.includes('"data"') || namesBase64(json)) json = stringify(value, readableValue);
  const line = json ?? '"[no JSON]"';
  return otherLineEnds.some((end) => line.includes(end))
    ? line.replace(/[\u0085\u2028\u2029]/g, escapeCharacter)
    : line;
}

const otherLineEnds = ["\u0085", "\u2028", "\u2029"];

function stringify(value: unknown, replacer?: (key: string, value: unknown) => unknown): string | undefined {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    // It holds itself or a bigint, is too deep, or has a `toJSON` that throws.
    return undefined;
  }
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function readableValue(key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "string") return value;
  if (key === "data" && value.length >= MIN_DATA_CHARACTERS && base64.test(value)) return leftOutData("base64", value);
  return withoutDataUrls(value);
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
  return `${escapeHeaders(head)}\n[… ${leftOut} characters left out …]\n${escapeHeaders(tail)}`;
}

function withoutDataUrls(text: string): string {
  if (text.length < MIN_DATA_CHARACTERS || !namesBase64(text)) return text;
  return text.replace(dataUrl, (url, mimeType: string | undefined, data: string) =>
    data.length < MIN_DATA_CHARACTERS ? url : leftOutData(mimeType ?? "unknown", data),
  );
}

/** Whether "base64" may stand in a text, in any case. A look for its digits passes most texts much faster than a pattern. */
function namesBase64(text: string): boolean {
  for (let at = text.indexOf("64"); at >= 0; at = text.indexOf("64", at + 2)) {
    if (text.slice(Math.max(0, at - 4), at).toLowerCase() === "base") return true;
  }
  return false;
}

function leftOutData(type: string, data: string): string {
  return `[data: ${type}, ${data.length} characters left out]`;
}

/** Whether `index` stands inside a surrogate pair of well-formed text. */
function splitsPair(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}

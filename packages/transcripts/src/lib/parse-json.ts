import { isAscii, isUtf8, transcode } from "node:buffer";
import { isDeeperThan } from "./json-value.ts";

/** Deeper values would overflow the stack of whatever walks them later; no session file comes near. */
const maxDepth = 512;

export type ParsedJson =
  | { readonly kind: "value"; readonly value: unknown; readonly warning?: string }
  | { readonly kind: "blank" }
  | { readonly kind: "broken"; readonly problem: string };

/**
 * One JSON value out of bytes. A byte order mark, line ends and NULs around the value are passed over: they are what
 * editors, Windows and a crashed machine leave behind. `JSON.parse` keeps a `__proto__` key as an ordinary property.
 */
export function parseJson(bytes: Buffer): ParsedJson {
  const isWellFormed = isUtf8(bytes);
  let text: string;
  try {
    text = decode(bytes, isWellFormed);
  } catch (error) {
    if (!isStringTooLong(error)) throw error;
    return { kind: "broken", problem: "longer than a string can be" };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const trimmed = text.replace(/^[\s\0\uFEFF]+|[\s\0]+$/g, "");
    if (trimmed === "") return { kind: "blank" };
    if (trimmed.length === text.length) return { kind: "broken", problem: describe(error, text) };
    try {
      value = JSON.parse(trimmed);
    } catch (trimmedError) {
      return { kind: "broken", problem: describe(trimmedError, trimmed) };
    }
  }
  if (isDeeperThan(value, maxDepth)) return { kind: "broken", problem: `nested deeper than ${maxDepth} levels` };
  return isWellFormed ? { kind: "value", value } : { kind: "value", value, warning: "bytes that are not UTF-8" };
}

/** `bytes.toString()`, by the faster ways there are for most lines: it would take as long as the parsing. */
function decode(bytes: Buffer, isWellFormed: boolean): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isWellFormed ? transcode(bytes, "utf8", "utf16le").toString("utf16le") : bytes.toString("utf8");
}

function isStringTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STRING_TOO_LONG";
}

/** The place the parser names, in our words: its own message quotes the line. */
function describe(error: unknown, text: string): string {
  const place = error instanceof SyntaxError ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (place === undefined || Number(place) >= text.length) return "JSON that breaks off";
  return `not JSON from character ${Number(place) + 1} on`;
}

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
  const encoding = isAscii(bytes) ? "ascii" : isUtf8(bytes) ? "utf8" : "unknown";
  let text: string;
  try {
    text = decode(bytes, encoding);
  } catch (error) {
    if (!isStringTooLong(error)) throw error;
    return { kind: "broken", problem: "longer than a string can be" };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const trimmed = withoutPadding(text);
    if (trimmed === "") return { kind: "blank" };
    if (trimmed.length === text.length) return { kind: "broken", problem: describe(error, text) };
    try {
      value = JSON.parse(trimmed);
    } catch (trimmedError) {
      return { kind: "broken", problem: describe(trimmedError, trimmed) };
    }
  }
  // A level takes two characters at least.
  if (text.length > maxDepth * 2 && isDeeperThan(value, maxDepth))
    return { kind: "broken", problem: `nested deeper than ${maxDepth} levels` };
  return encoding === "unknown"
    ? { kind: "value", value, warning: "bytes that are not UTF-8" }
    : { kind: "value", value };
}

/** `bytes.toString()`, by the faster ways there are for most lines: it would take as long as the parsing. */
function decode(bytes: Buffer, encoding: "ascii" | "utf8" | "unknown"): string {
  switch (encoding) {
    case "ascii":
      return bytes.toString("latin1");
    case "utf8":
      return transcode(bytes, "utf8", "utf16le").toString("utf16le");
    case "unknown":
      return bytes.toString("utf8");
    default:
      return encoding satisfies never;
  }
}

/** Character by character: a pattern at the end of a text takes quadratic time on a long run in its middle. */
function withoutPadding(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isPadding(text.charCodeAt(start))) start += 1;
  while (end > start && isPadding(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** NUL, tab, line feed, carriage return, space, byte order mark. */
function isPadding(code: number): boolean {
  return code === 0 || code === 9 || code === 10 || code === 13 || code === 32 || code === 0xfeff;
}

function isStringTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STRING_TOO_LONG";
}

/** What the parser found and where, in our words: its own message quotes the line. */
function describe(error: unknown, text: string): string {
  const message = error instanceof SyntaxError ? error.message : "";
  const place = Number(/position (\d+)/.exec(message)?.[1]);
  if (/^(?:Unexpected end|Unterminated)/.test(message) || place >= text.length) return "JSON that breaks off";
  return Number.isNaN(place) ? "not JSON" : `not JSON from character ${place + 1} on`;
}

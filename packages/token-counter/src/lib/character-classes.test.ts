import { Tiktoken } from "tiktoken";
import { expect, test } from "vitest";
import { LETTER, LOWER, NEWLINE, NUMBER, readCharacterClasses, SPACE, UPPER } from "./character-classes.ts";

const classes = readCharacterClasses();
const codePoints = Array.from({ length: 0x11_0000 }, (_, codePoint) => codePoint).filter(
  (codePoint) => codePoint < 0xd800 || codePoint > 0xdfff,
);

/** The characters that a pattern matches inside tiktoken: an encoder of single bytes gives back what it matched. */
function matchedByTiktoken(pattern: string): string {
  const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString("base64"));
  const encoder = new Tiktoken(`! 0 ${bytes.join(" ")}`, {}, pattern);
  const matched: string[] = [];
  for (let first = 0; first < codePoints.length; first += 4_096) {
    const block = String.fromCodePoint(...codePoints.slice(first, first + 4_096));
    matched.push(Buffer.from(encoder.encode_ordinary(block)).toString());
  }
  encoder.free();
  return matched.join("");
}

test.each([
  ["upper case, as the first part of a word takes it", UPPER, "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"],
  ["lower case, as the second part of a word takes it", LOWER, "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"],
  ["letters", LETTER, "\\p{L}"],
  ["numbers", NUMBER, "\\p{N}"],
  ["white space", SPACE, "\\s"],
  ["line breaks", NEWLINE, "[\\r\\n]"],
])("%s are what tiktoken's pattern engine takes for them, for every code point", (_, bit, pattern) => {
  const ours = codePoints.filter((codePoint) => ((classes[codePoint] ?? 0) & bit) !== 0);
  expect(ours.map((codePoint) => String.fromCodePoint(codePoint)).join("") === matchedByTiktoken(pattern)).toBe(true);
});

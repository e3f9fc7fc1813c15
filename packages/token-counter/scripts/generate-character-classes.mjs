// Writes src/lib/character-class-runs.ts: the classes of every code point as the regular expression engine inside
// tiktoken knows them. Run it after a change of the tiktoken version; a test compares the file with that engine.
import { writeFileSync } from "node:fs";
import { Tiktoken } from "tiktoken";

const lineWidth = 110;

// An encoder whose pattern is one class and whose tokens are single bytes: it encodes to nothing outside the class.
const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString("base64"));
const classes = Object.entries({
  U: "[\\p{Lu}\\p{Lt}]",
  L: "\\p{Ll}",
  C: "[\\p{Lm}\\p{Lo}]",
  M: "\\p{M}",
  N: "\\p{N}",
  R: "[\\r\\n]",
  S: "\\s",
}).map(([letter, pattern]) => ({ letter, engine: new Tiktoken(`! 0 ${bytes.join(" ")}`, {}, pattern) }));

function classOf(codePoint) {
  const character = String.fromCodePoint(codePoint);
  return classes.find(({ engine }) => engine.encode_ordinary(character).length > 0)?.letter ?? "O";
}

let runs = "";
let letter = classOf(0);
let length = 1;
for (let codePoint = 1; codePoint <= 0x11_0000; codePoint++) {
  const next = codePoint === 0x11_0000 ? undefined : classOf(codePoint);
  if (next === letter) {
    length += 1;
    continue;
  }
  if (next !== undefined || letter !== "O") runs += (length === 1 ? "" : length.toString(36)) + letter;
  letter = next;
  length = 1;
}

const lines = runs.match(new RegExp(`.{1,${lineWidth}}`, "g")).map((line) => `  "${line}"`);
writeFileSync(
  new URL("../src/lib/character-class-runs.ts", import.meta.url),
  `// Written by scripts/generate-character-classes.mjs. Not edited by hand.

/**
 * Every code point from 0 on, in runs: the run's length in base 36 (nothing for 1) and its class. U upper or title
 * case, L lower case, C letter without case, M mark, N number, R line break, S other white space, O all else, also
 * behind the last run.
 */
export const characterClassRuns: string =
${lines.join(" +\n")};
`,
);

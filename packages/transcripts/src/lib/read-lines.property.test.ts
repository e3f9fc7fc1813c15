import fc from "fast-check";
import { expect, test } from "vitest";
import { readLines } from "./read-lines.ts";

const options = { numRuns: 200 * Number(process.env.HOLDFAST_RUNS ?? 1), seed: 13 };

async function linesOf(chunks: readonly Uint8Array[]): Promise<string[]> {
  async function* stream() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const batch of readLines(stream())) lines.push(...batch.map(String));
  return lines;
}

test("a file is cut at line feeds alone, however its bytes arrive", async () => {
  const character = fc.constantFrom("a", "é", "😀", "\n", "\r", "\u2028", "\u0085");
  await fc.assert(
    fc.asyncProperty(
      fc.array(character, { maxLength: 40 }),
      fc.array(fc.nat({ max: 60 })),
      async (characters, cuts) => {
        const text = characters.join("");
        const bytes = new TextEncoder().encode(text);
        const ends = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
        const chunks = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
        const expected = text.split("\n");
        if (expected.at(-1) === "") expected.pop();
        expect(await linesOf(chunks)).toEqual(expected);
      },
    ),
    options,
  );
});

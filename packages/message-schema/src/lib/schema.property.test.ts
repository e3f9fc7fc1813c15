import { transcriptArbitrary } from "@holdfast/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTranscript } from "./render.ts";
import { transcriptSchema } from "./schema.ts";

const runs = 100 * Number(process.env.HOLDFAST_RUNS ?? 1);

test("what is written is read back equal, and reading twice is reading once", () => {
  fc.assert(
    fc.property(transcriptArbitrary(fc), (transcript) => {
      const read = transcriptSchema.parse(JSON.parse(JSON.stringify(transcript)));
      expect(read).toEqual(transcript);
      expect(transcriptSchema.parse(read)).toEqual(read);
    }),
    { numRuns: runs, seed: 2 },
  );
});

test("a rendering is well formed and holds one header for each message it shows, whatever the texts say", () => {
  const texts = fc.array(fc.constantFrom("[user]", "[assistant]", "\n", "x", "\uD800", "[tool result: a]"), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 8 }), (pieces) => {
      const messages = pieces.map((piece, index) => ({
        id: `${index}`,
        role: "user" as const,
        content: piece.join(""),
      }));
      const rendered = renderTranscript(messages, { resultMaxCharacters: 2000, includeThinking: true });
      const shown = messages.filter((message) => message.content.trim() !== "").length;
      expect(rendered.match(/^\[(?:user|assistant|tool result: a)\]$/gm)?.length ?? 0).toBe(shown);
      expect(rendered).not.toMatch(/\p{Surrogate}/u);
    }),
    { numRuns: runs, seed: 3 },
  );
});

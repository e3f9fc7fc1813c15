import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shape as aiSdk } from "../ai-sdk.ts";
import { shape as anthropic } from "../anthropic.ts";
import { shape as gemini } from "../gemini.ts";
import { shape as langChain } from "../langchain.ts";
import { shape as openAi } from "../openai.ts";
import { shape as openAiResponses } from "../openai-responses.ts";
import { shape as pi } from "../pi.ts";
import { findPairingProblems } from "./find-pairing-problems.ts";
import * as written from "./fixtures/library-messages.ts";
import { countPlain, plainShape, toPlain } from "./fixtures/plain-message.ts";
import { type Spoken, spokenTranscript } from "./fixtures/spoken.ts";
import type { CountTokens, MessageShape } from "./message-shape.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const numRuns = 120 * Number(process.env.HOLDFAST_RUNS ?? 1);
const countJson = (message: unknown): number => Math.ceil(JSON.stringify(message).length / 4);

describe.each([
  check("plain messages", plainShape, toPlain, countPlain),
  check("OpenAI Chat Completions", openAi, written.toOpenAi),
  check("OpenAI Responses", openAiResponses, written.toOpenAiResponses),
  check("Anthropic Messages", anthropic, written.toAnthropic),
  check("AI SDK", aiSdk, written.toAiSdk),
  check("LangChain", langChain, written.toLangChain),
  check("Gemini", gemini, written.toGemini),
  check("pi", pi, written.toPi),
])("$name", ({ run }) => {
  it(
    "keeps a valid window within the budget, a suffix of the list but for what it lists, and selecting again changes nothing",
    run,
  );
});

function check<M extends object>(
  name: string,
  shape: MessageShape<M>,
  write: (spoken: readonly Spoken[]) => M[],
  countTokens: CountTokens<M> = countJson,
) {
  const options = fc.record({
    budgetTokens: fc.oneof(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 64, max: 3_000 }),
      fc.constant(Infinity),
    ),
    anchor: fc.constantFrom(undefined, "latest-request" as const),
    larger: fc.integer({ min: 0, max: 800 }),
  });
  const run = () => {
    fc.assert(
      fc.property(spokenTranscript, options, (spoken, { budgetTokens, anchor, larger }) => {
        const messages = write(spoken);
        const before = JSON.stringify(messages);
        const select = (from: readonly M[], tokens = budgetTokens) =>
          selectTailWindow(from, { budgetTokens: tokens, countTokens, shape, anchor });
        const window = select(messages);
        expect(JSON.stringify(messages)).toBe(before);

        const leading = messages.findIndex((message) => shape.role(message) !== "system");
        const behindLeading = window.messages.slice(leading < 0 ? messages.length : leading);
        const tokens = behindLeading.reduce((sum, message) => sum + countTokens(message), 0);
        expect(tokens).toBe(window.tokens);
        expect(tokens).toBeLessThanOrEqual(budgetTokens);
        expect(findPairingProblems(window.messages, shape)).toEqual([]);
        expect(window.messages.filter((message) => shape.isDiscarded?.(message))).toEqual([]);

        const omitted = new Set(window.omitted.map(({ index }) => index));
        const changed = new Set([...window.shortened, ...window.repaired]);
        const kept = [
          ...(window.anchorIndex === undefined ? [] : [window.anchorIndex]),
          ...[...messages.keys()].filter((index) => index >= window.startIndex && !omitted.has(index)),
        ];
        expect(behindLeading.length).toBe(kept.length);
        kept.forEach((index, at) => {
          if (!changed.has(index)) expect(behindLeading[at]).toBe(messages[index]);
          expect(Object.getPrototypeOf(behindLeading[at])).toBe(Object.getPrototypeOf(messages[index]));
        });

        const again = select(window.messages);
        expect(again.messages.length).toBe(window.messages.length);
        again.messages.forEach((message, at) => {
          expect(message).toBe(window.messages[at]);
        });
        expect([again.omitted, again.shortened, again.repaired]).toEqual([[], [], []]);

        expect(select(messages, budgetTokens + larger).startIndex).toBeLessThanOrEqual(window.startIndex);
      }),
      { numRuns },
    );
  };
  return { name, run };
}

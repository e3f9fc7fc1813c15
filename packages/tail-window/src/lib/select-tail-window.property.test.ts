import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPairingProblems } from "./find-pairing-problems.ts";
import { countPlain, type PlainMessage, plainShape, toPlain } from "./fixtures/plain-message.ts";
import { selectByBruteForce } from "./fixtures/select-by-brute-force.ts";
import { spokenTranscript } from "./fixtures/spoken.ts";
import type { MessageShape } from "./message-shape.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const numRuns = 300 * Number(process.env.HOLDFAST_RUNS ?? 1);
const transcript = spokenTranscript.map(toPlain);
const budget = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 4_000 }));

const shapeThatCannotShorten: MessageShape<PlainMessage> = { ...plainShape };
delete shapeThatCannotShorten.shorten;

describe("the window on generated conversations", () => {
  it("is what a search over all cuts finds, where nothing is shortened", () => {
    fc.assert(
      fc.property(transcript, budget, (messages, budgetTokens) => {
        const window = selectTailWindow(messages, {
          budgetTokens,
          countTokens: countPlain,
          shape: shapeThatCannotShorten,
        });
        expect(window.messages).toEqual(selectByBruteForce(messages, budgetTokens, countPlain));
      }),
      { numRuns: 3 * numRuns },
    );
  });

  it.each([["withoutToolCalls"], ["withoutToolResults"], ["withoutToolCalls", "withoutToolResults"]] as const)(
    "is valid too when the shape has no %s %s",
    (...missing) => {
      const shape = { ...plainShape };
      for (const name of missing) delete shape[name];
      fc.assert(
        fc.property(transcript, budget, (messages, budgetTokens) => {
          const window = selectTailWindow(messages, { budgetTokens, countTokens: countPlain, shape });
          expect(findPairingProblems(window.messages, shape)).toEqual([]);
          for (const message of window.messages) {
            const isOriginal = messages.includes(message) || window.shortened.length + window.repaired.length > 0;
            expect(isOriginal).toBe(true);
          }
        }),
        { numRuns },
      );
    },
  );

  it("never starts later when the budget grows, with an anchor too", () => {
    fc.assert(
      fc.property(transcript, fc.integer({ min: 300, max: 3_000 }), fc.nat(600), (messages, budgetTokens, more) => {
        const select = (tokens: number) =>
          selectTailWindow(messages, {
            budgetTokens: tokens,
            countTokens: countPlain,
            shape: plainShape,
            anchor: "latest-request",
          });
        expect(select(budgetTokens + more).startIndex).toBeLessThanOrEqual(select(budgetTokens).startIndex);
      }),
      { numRuns },
    );
  });

  it("uses at least half of the budget whenever the budget left something out", () => {
    fc.assert(
      fc.property(transcript, fc.integer({ min: 64, max: 2_000 }), (messages, budgetTokens) => {
        const options = { countTokens: countPlain, shape: plainShape };
        const window = selectTailWindow(messages, { ...options, budgetTokens });
        const whole = selectTailWindow(messages, { ...options, budgetTokens: Infinity });
        // Texts are cut to whole characters around a marker of fixed room.
        if (window.tokens < whole.tokens) expect(window.tokens).toBeGreaterThanOrEqual(budgetTokens / 2 - 24);
      }),
      { numRuns },
    );
  });

  it("is never empty when there is something to keep and the budget is 64 or more", () => {
    fc.assert(
      fc.property(transcript, fc.integer({ min: 64, max: 300 }), (messages, budgetTokens) => {
        const options = { countTokens: countPlain, shape: plainShape };
        const whole = selectTailWindow(messages, { ...options, budgetTokens: Infinity });
        const window = selectTailWindow(messages, { ...options, budgetTokens });
        expect(window.startIndex < messages.length).toBe(whole.tokens > 0);
        const anchored = selectTailWindow(messages, {
          ...options,
          budgetTokens: 1.5 * budgetTokens,
          anchor: "latest-request",
        });
        expect(anchored.startIndex < messages.length).toBe(whole.tokens > 0);
      }),
      { numRuns },
    );
  });

  it("counts what it reads at most once, and a message that it shortens up to eight times more", () => {
    fc.assert(
      fc.property(transcript, budget, (messages, budgetTokens) => {
        // A message with results for several calls grows with each of them that is found.
        const hasOneResultEach = messages.every(({ answers = [] }) => answers.length < 2);
        fc.pre(hasOneResultEach);
        const read = new Set<number>();
        const watched = new Proxy(messages, {
          get(target, key, receiver) {
            if (typeof key === "string" && /^\d+$/.test(key)) read.add(Number(key));
            return Reflect.get(target, key, receiver);
          },
        });
        let counts = 0;
        const countTokens = (message: PlainMessage) => {
          counts += 1;
          return countPlain(message);
        };
        const window = selectTailWindow(watched, { budgetTokens, countTokens, shape: plainShape });
        // Eight for what could not be made short enough and is not kept.
        expect(counts).toBeLessThanOrEqual(read.size + 8 * window.shortened.length + 8);
      }),
      { numRuns },
    );
  });
});

import { createTokenCounter } from "@holdfast/token-counter";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScriptedSummaryModel, createVirtualClock } from "../testing.ts";
import { summaryOf, transcriptIn } from "./fixtures/conversation.ts";
import { rangeArbitrary } from "./fixtures/range-arbitrary.ts";
import { planSummary } from "./plan-summary.ts";
import { rangeBlocks } from "./range-blocks.ts";
import { summarizeRange } from "./summarize-range.ts";

const runs = 60 * Number(process.env.HOLDFAST_RUNS ?? 1);
const windows = fc.integer({ min: 4200, max: 16_000 });

describe("a summary of any range in any window", () => {
  it("shows every rendered character to some request, in order, within the budget of the exact counter", async () => {
    using counter = await createTokenCounter();
    let chained = 0;
    await fc.assert(
      fc.asyncProperty(rangeArbitrary, windows, async (messages, contextWindow) => {
        const size = { contextWindow, maxOutputTokens: 1024 };
        const plan = planSummary(messages, { counter, model: size });
        fc.pre(plan.ok);
        const steps = plan.links.map((_, link) => summaryOf(`after link ${link}`));
        const model = createScriptedSummaryModel(steps, size);
        const result = await summarizeRange(messages, { counter, model, clock: createVirtualClock() });

        expect(result).toMatchObject({ ok: true, requests: plan.links.length, coveredThrough: messages.at(-1)?.id });
        expect(model.remaining).toBe(0);
        const rendering = rangeBlocks(messages, { rendering: plan.rendering })
          .map((block) => block.text)
          .join("");
        expect(model.requests.map((request) => transcriptIn(request.prompt)).join("")).toBe(rendering);

        const { requestBudget, maxOutputTokens } = plan.limits;
        model.requests.forEach((request, link) => {
          const shown = /<transcript>\n([\s\S]*)\n<\/transcript>/.exec(request.prompt)?.[1] ?? "";
          const planned = plan.links[link]?.tokens ?? 0;
          // Below it only where a run that nothing divides was cut: its pieces count a little more than the whole.
          expect(counter.countText(shown)).toBeLessThanOrEqual(planned);
          expect(counter.countText(shown)).toBeGreaterThan(planned - requestBudget / 25);
          expect(planned).toBeLessThanOrEqual(requestBudget);
          const whole = counter.countText(`${request.system}\n\n${request.prompt}`);
          expect(whole + maxOutputTokens).toBeLessThanOrEqual(contextWindow);
          expect(request.prompt.includes(`after link ${link - 1}`)).toBe(link > 0);
          expect(request.prompt.split("</transcript>")).toHaveLength(2);
          expect(request.prompt).not.toMatch(/\p{Surrogate}/u);
        });
        const least = Math.ceil(counter.countText(rendering) / requestBudget);
        expect(plan.links.length).toBeLessThanOrEqual(least + 1);
        if (plan.links.length > 1) chained += 1;
      }),
      { numRuns: runs, seed: 64, endOnFailure: true },
    );
    expect(chained).toBeGreaterThan(runs / 10);
  });

  it("counts each rendered character at most twice", async () => {
    using exact = await createTokenCounter();
    await fc.assert(
      fc.asyncProperty(rangeArbitrary, windows, async (messages, contextWindow) => {
        let counted = 0;
        const counter = {
          countText: (text: string) => {
            counted += text.replace(
              /^\[note\] What follows goes on from the (?:part before\n…?|middle of a line)/,
              "",
            ).length;
            return exact.countText(text);
          },
        };
        const model = { contextWindow, maxOutputTokens: 1024 };
        planSummary([], { counter, model });
        const ofTheRequestItself = counted;
        counted = 0;
        planSummary(messages, { counter, model });
        const rendered = rangeBlocks(messages, { rendering: "full" }).reduce(
          (sum, block) => sum + block.text.length,
          0,
        );
        expect(counted - ofTheRequestItself).toBeLessThanOrEqual(2 * rendered);
      }),
      { numRuns: runs, seed: 65, endOnFailure: true },
    );
  });
});

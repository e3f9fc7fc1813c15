import { describe, expect, it } from "vitest";
import { createScriptedSummaryModel, createVirtualClock, type SummaryStep } from "../testing.ts";
import { summaryOf, user } from "./fixtures/conversation.ts";
import { counter, fiveLinks, small, summarize } from "./fixtures/summarize.ts";
import { summarizeRange } from "./summarize-range.ts";

describe("bounds of a whole summary", () => {
  it("are 32 sendings", async () => {
    const flaky = Array.from(
      { length: 40 },
      (_, index): SummaryStep =>
        index % 4 === 3 ? summaryOf(`${index}`) : { fail: "transport", status: 503, retryAfterMs: 0 },
    );
    const range = Array.from({ length: 30 }, (_, index) => user(`m${index}`, "word ".repeat(1180)));
    const { result, model } = summarize(range, flaky);
    expect(await result).toMatchObject({
      ok: false,
      reason: "summary_provider",
      requests: 32,
      partial: { summary: summaryOf("31"), coveredThrough: "m23" },
    });
    expect(model.requests).toHaveLength(32);
  });

  it("are two minutes and one for each link, together", async () => {
    const clock = createVirtualClock();
    const slow = Array.from({ length: 5 }, (_, link) => ({ text: summaryOf(`after ${link}`), delayMs: 110_000 }));
    const model = createScriptedSummaryModel(slow, { ...small, clock });
    const result = await summarizeRange(fiveLinks, { model, counter, clock });
    expect(result).toMatchObject({
      ok: false,
      reason: "summary_provider",
      requests: 4,
      partial: { coveredThrough: "m8" },
    });
    expect(clock.now()).toBe(420_000);
  });

  it("let one sending take two minutes, or what the caller says, and try it once more", async () => {
    const { result, clock } = summarize([user("u", "Hi")], [{ hang: true }, summaryOf("Late")]);
    expect(await result).toMatchObject({ ok: true, requests: 2 });
    expect(clock.waited).toEqual([120_000]);
    const short = summarize([user("u", "Hi")], [{ hang: true }, { hang: true }], { sendingTimeoutMs: 5000 });
    expect(await short.result).toMatchObject({ ok: false, reason: "summary_provider", requests: 2 });
    expect(short.clock.waited).toEqual([5000, 5000]);
    expect(short.model.signals.map((signal) => signal.aborted)).toEqual([true, true]);
  });

  it("end before a wait that would last beyond them", async () => {
    const busy = { fail: "transport", status: 429, retryAfterMs: 60_000 } as const;
    const { result, clock } = summarize([user("u", "Hi")], [busy, busy, busy]);
    expect(await result).toMatchObject({ ok: false, reason: "summary_provider", requests: 3 });
    // Of three minutes the third one would take the rest.
    expect(clock.waited).toEqual([60_000, 60_000]);
  });
});

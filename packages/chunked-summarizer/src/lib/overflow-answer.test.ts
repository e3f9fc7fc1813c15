import type { Message } from "@holdfast/message-schema";
import { createTokenCounter } from "@holdfast/token-counter";
import { describe, expect, it } from "vitest";
import { createScriptedSummaryModel, createVirtualClock, type SummaryStep } from "../testing.ts";
import { exchange, summaryOf, transcriptIn, user } from "./fixtures/conversation.ts";
import { counter, fiveLinks, small, summarize } from "./fixtures/summarize.ts";
import { planSummary } from "./plan-summary.ts";
import { summarizeRange } from "./summarize-range.ts";

describe("an overflow answer", () => {
  it("cuts what is unread once more for a smaller window; what was answered stays", async () => {
    const { result, model } = summarize(fiveLinks, [
      summaryOf("after 0"),
      { fail: "overflow", status: 400 },
      ...Array.from({ length: 6 }, (_, link) => summaryOf(`after ${link + 1}`)),
    ]);
    expect(await result).toMatchObject({ ok: true, requests: 8, summary: summaryOf("after 6"), coveredThrough: "m14" });
    const read = model.requests.filter((_, index) => index !== 1).map((request) => transcriptIn(request.prompt));
    expect(read.join("")).toBe(fiveLinks.map((message) => `[user]\n${message.content}\n\n`).join(""));
    for (const text of read.slice(1)) expect(counter.countText(text)).toBeLessThanOrEqual(0.7 * 4739);
  });

  it("reads a rest of mere reasoning: the old summary is no summary of it", async () => {
    const range: Message[] = [
      ...fiveLinks.slice(0, 6),
      {
        id: "thought",
        role: "assistant",
        content: [{ type: "thinking", thinking: "hm ".repeat(5500) }],
        stopReason: "aborted",
      },
    ];
    const { result, model } = summarize(range, [
      summaryOf("after 0"),
      summaryOf("after 1"),
      { fail: "overflow" },
      ...[2, 3].map((link) => summaryOf(`after ${link}`)),
    ]);
    expect(await result).toMatchObject({
      ok: true,
      requests: 5,
      summary: summaryOf("after 3"),
      coveredThrough: "thought",
    });
    expect(
      model.requests
        .slice(3)
        .map(({ prompt }) => transcriptIn(prompt))
        .join(""),
    ).toContain("hm hm hm");
  });

  it("a second time is summary_budget, and keeps what was read", async () => {
    const { result } = summarize(fiveLinks, [summaryOf("after 0"), { fail: "overflow" }, { fail: "overflow" }]);
    expect(await result).toMatchObject({
      ok: false,
      reason: "summary_budget",
      requests: 3,
      partial: { summary: summaryOf("after 0"), coveredThrough: "m2" },
    });
  });

  it("is summary_budget when the rest would need more than 16 links in all", async () => {
    const range = Array.from({ length: 45 }, (_, index) => user(`m${index}`, "word ".repeat(1180)));
    const plan = planSummary(range, { model: small, counter });
    expect(plan.ok && plan.links.length).toBe(15);
    const { result } = summarize(range, [summaryOf("after 0"), { fail: "overflow" }]);
    expect(await result).toMatchObject({ ok: false, reason: "summary_budget", requests: 2 });
  });

  it("counts the links that were answered among the 16", async () => {
    // Nine of 13 links are unread: 13 smaller ones, which 16 would hold, but not the twelve that are left.
    const range = Array.from({ length: 39 }, (_, index) => user(`m${index}`, "word ".repeat(1180)));
    const { result } = summarize(range, [
      ...[0, 1, 2, 3].map((link) => summaryOf(`after ${link}`)),
      { fail: "overflow" },
    ]);
    expect(await result).toMatchObject({
      ok: false,
      reason: "summary_budget",
      requests: 5,
      partial: { summary: summaryOf("after 3"), coveredThrough: "m11" },
    });
  });

  it("leaves no request above the smaller budget, also where every letter is three tokens", async () => {
    using exact = await createTokenCounter();
    const size = { contextWindow: 4300, maxOutputTokens: 1024 };
    const letters = Array.from({ length: 1600 }, (_, at) => String.fromCharCode(0xa500 + ((at * 7) % 268))).join("");
    const range = [user("u", letters)];
    const plan = planSummary(range, { model: size, counter: exact });
    const steps: SummaryStep[] = [{ fail: "overflow" }, ...[0, 1, 2, 3, 4, 5, 6].map((link) => summaryOf(`${link}`))];
    const model = createScriptedSummaryModel(steps, size);
    const result = await summarizeRange(range, { model, counter: exact, clock: createVirtualClock() });
    expect(result).toMatchObject({ ok: true, coveredThrough: "u" });
    for (const { prompt } of model.requests.slice(1)) {
      const shown = /<transcript>\n([\s\S]*)\n<\/transcript>/.exec(prompt)?.[1] ?? "";
      expect(exact.countText(shown)).toBeLessThanOrEqual(0.7 * plan.limits.requestBudget);
    }
  });

  it("shows less of the results when only that holds the rest", async () => {
    const results = Array.from({ length: 20 }, (_, index) =>
      exchange(`c${index}`, "bash", {}, "line ".repeat(800)),
    ).flat();
    expect(planSummary(results.slice(0, 16), { model: small, counter })).toMatchObject({ rendering: "full" });
    const { result, model } = summarize(results.slice(0, 16), [{ fail: "overflow" }, summaryOf("Short")]);
    expect(await result).toMatchObject({ ok: true, requests: 2, coveredThrough: "c7-result" });
    expect(model.requests[1]?.prompt).toContain("[… 3500 characters left out …]");
  });
});

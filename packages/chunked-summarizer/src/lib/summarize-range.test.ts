import type { Message } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { createScriptedSummaryModel, createVirtualClock } from "../testing.ts";
import { planSummary } from "./plan-summary.ts";
import { summarizeRange } from "./summarize-range.ts";

const counter = { countText: (text: string) => Math.ceil(text.length / 4) };

function summary(goal: string): string {
  return `## Goal\n${goal}\n\n## Progress\nSome.\n\n## Next steps\n(none)`;
}

function conversation(turns: number, words: number): Message[] {
  return Array.from({ length: turns }, (_, turn): Message[] => [
    { id: `u${turn}`, role: "user", content: `Question ${turn}: ${"why ".repeat(words)}` },
    {
      id: `a${turn}`,
      role: "assistant",
      content: [{ type: "text", text: `Answer ${turn}: ${"because ".repeat(words)}` }],
      stopReason: "stop",
    },
  ]).flat();
}

describe("summarizeRange", () => {
  it("takes one request for a range that fits", async () => {
    const model = createScriptedSummaryModel([{ text: summary("Ask"), usage: { inputTokens: 900, outputTokens: 40 } }]);
    const result = await summarizeRange(conversation(2, 5), { model, counter, clock: createVirtualClock() });
    expect(result).toEqual({
      ok: true,
      summary: summary("Ask"),
      usage: { inputTokens: 900, outputTokens: 40, incomplete: false },
      requests: 1,
      coveredThrough: "a1",
      files: { readFiles: [], modifiedFiles: [] },
      promptVersion: "holdfast-summary@1",
    });
  });

  it("chains requests when one does not hold the range, each showing the answer before it", async () => {
    const range = conversation(40, 40);
    const options = { counter, clock: createVirtualClock() };
    const window = { contextWindow: 8000, maxOutputTokens: 1000 };
    const plan = planSummary(range, { ...options, model: window });
    const links = plan.ok ? plan.links.length : 0;
    expect(links).toBeGreaterThan(1);
    const steps = Array.from({ length: links }, (_, link) => summary(`after link ${link}`));
    const model = createScriptedSummaryModel(steps, window);
    const result = await summarizeRange(range, { ...options, model });
    expect(result).toMatchObject({ ok: true, requests: links, summary: summary(`after link ${links - 1}`) });
    expect(model.requests[1]?.prompt).toContain("after link 0");
  });
});

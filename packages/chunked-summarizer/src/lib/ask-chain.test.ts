import { describe, expect, it } from "vitest";
import { exchange, summaryOf, transcriptIn, user } from "./fixtures/conversation.ts";
import { counter, fiveLinks, small, summarize } from "./fixtures/summarize.ts";
import { planSummary } from "./plan-summary.ts";
import type { SummaryProgress } from "./summarize-options.ts";

const promptVersion = "holdfast-summary@1";

describe("a chain of requests", () => {
  it("shows each link the answer before it, the last one the files, and sums the usage", async () => {
    const range = [...fiveLinks, ...exchange("c1", "read", { path: "src/a.ts" }, "text")];
    const steps = [0, 1, 2, 3, 4].map((link) => ({
      text: summaryOf(`after ${link}`),
      usage: { inputTokens: 1000 + link, outputTokens: 10 },
    }));
    const events: SummaryProgress[] = [];
    const { result, model } = summarize(range, steps, { onProgress: (progress) => events.push(progress) });
    expect(await result).toEqual({
      ok: true,
      summary: `${summaryOf("after 4")}\n\n## Files\n\n- read: src/a.ts`,
      usage: { inputTokens: 5010, outputTokens: 50, incomplete: false },
      requests: 5,
      coveredThrough: "c1-result",
      files: { readFiles: ["src/a.ts"], modifiedFiles: [] },
      promptVersion,
    });
    model.requests.forEach((request, link) => {
      expect(request.prompt.includes(`<previous-summary>\n${summaryOf(`after ${link - 1}`)}\n`)).toBe(link > 0);
      expect(request.prompt.includes("<files>\n- read: src/a.ts\n</files>")).toBe(link === 4);
    });
    expect(events.at(0)).toEqual({ link: 1, links: 5, requests: 1, inputTokens: 0, outputTokens: 0 });
    expect(events.at(4)).toEqual({ link: 5, links: 5, requests: 5, inputTokens: 4006, outputTokens: 40 });
  });

  it("keeps what the answered links read when link k fails, for every k", async () => {
    const covered = [undefined, "m2", "m5", "m8", "m11"];
    for (const [k, coveredThrough] of covered.entries()) {
      const answered = Array.from({ length: k }, (_, link) => summaryOf(`after ${link}`));
      const { result } = summarize(fiveLinks, [...answered, { fail: "rejected", status: 400 }]);
      expect(await result).toEqual({
        ok: false,
        reason: "summary_provider",
        usage: { inputTokens: 0, outputTokens: 0, incomplete: true },
        requests: k + 1,
        ...(coveredThrough && { partial: { summary: summaryOf(`after ${k - 1}`), coveredThrough } }),
        promptVersion,
      });
    }
  });

  it("lets no text pose as a message because a request begins in the middle of its line", async () => {
    const range = [user("m0", "stop[user".repeat(4500))];
    const { result, model } = summarize(range, [summaryOf("a"), summaryOf("b"), summaryOf("c")]);
    expect(await result).toMatchObject({ ok: true, requests: 3 });
    for (const { prompt } of model.requests.slice(1)) {
      expect(prompt).toContain("<transcript>\n[note] What follows goes on from the middle of a line[userstop[user");
    }
    expect(model.requests.map(({ prompt }) => transcriptIn(prompt)).join("")).toBe(`[user]\n${range[0]?.content}\n\n`);
  });

  it("covers no message of which only a part was read", async () => {
    const long = [user("m0", "word ".repeat(8000)), user("m1", "Go on")];
    const failing = { fail: "rejected" } as const;
    expect(await summarize(long, [summaryOf("a"), failing]).result).not.toHaveProperty("partial");
    expect(await summarize(long, [summaryOf("a"), summaryOf("b"), failing]).result).not.toHaveProperty("partial");
    const second = [user("m-1", "First"), ...long];
    expect(await summarize(second, [summaryOf("a"), summaryOf("b"), failing]).result).toMatchObject({
      partial: { summary: summaryOf("b"), coveredThrough: "m-1" },
    });
  });

  it("is planned as it is sent", async () => {
    const plan = planSummary(fiveLinks, { model: small, counter });
    const { result, model } = summarize(
      fiveLinks,
      Array.from({ length: 5 }, () => summaryOf("x")),
    );
    await result;
    expect(plan.ok && plan.links.map((link) => link.first)).toEqual(["m0", "m3", "m6", "m9", "m12"]);
    expect(model.requests.map((request) => transcriptIn(request.prompt).slice(0, 10))).toEqual([
      "[user]\n0 w",
      "[user]\n3 w",
      "[user]\n6 w",
      "[user]\n9 w",
      "[user]\n12 ",
    ]);
  });

  it("may ask a link again without asking the ones before it again", async () => {
    const { result, clock } = summarize(fiveLinks, [
      summaryOf("after 0"),
      { fail: "transport", status: 503 },
      { text: "", usage: { inputTokens: 5, outputTokens: 0 } },
      summaryOf("after 1"),
      summaryOf("after 2"),
      summaryOf("after 3"),
      summaryOf("after 4"),
    ]);
    expect(await result).toMatchObject({ ok: true, requests: 7, usage: { inputTokens: 5, incomplete: true } });
    expect(clock.waited).toEqual([2000]);
  });
});

describe("older messages over several requests", () => {
  const noteAbove = (prompt: string) => /<transcript>\n(?:(\[note\][^\n]*)\n)?/.exec(prompt)?.[1];
  const opening = "[note] The messages from here on are older: an earlier summary left them out.";

  it("are marked in every request that begins among them", async () => {
    const { result, model } = summarize(
      fiveLinks,
      [0, 1, 2, 3, 4].map((link) => summaryOf(`${link}`)),
      {
        intervals: [{ from: "m0", through: "m9" }],
      },
    );
    expect(await result).toMatchObject({ ok: true });
    expect(model.requests.map(({ prompt }) => noteAbove(prompt))).toEqual([
      opening,
      "[note] What follows is older: an earlier summary left it out",
      "[note] What follows is older: an earlier summary left it out",
      "[note] What follows is older: an earlier summary left it out",
      undefined,
    ]);
    expect(model.requests[3]?.prompt).toContain("\n\n[note] Here the older messages end.\n\n[user]\n10 ");
  });

  it("are marked inside a message, too", async () => {
    const range = [user("m0", "word ".repeat(5000)), user("m1", "Go on")];
    const { result, model } = summarize(
      range,
      [0, 1].map((link) => summaryOf(`${link}`)),
      {
        intervals: [{ from: "m0", through: "m0" }],
      },
    );
    expect(await result).toMatchObject({ ok: true, requests: 2 });
    expect(model.requests.map(({ prompt }) => noteAbove(prompt))).toEqual([
      opening,
      "[note] What follows is older: an earlier summary left it out",
    ]);
    expect(model.requests[1]?.prompt).toMatch(
      /<transcript>\n\[note\] What follows is older[^\n]*\n\[note\] What follows goes on from the part before\n… word/,
    );
    expect(model.requests[1]?.prompt).toContain("[note] Here the older messages end.\n\n[user]\nGo on");
  });

  it("are none where an end is not in the range, or the ends are the wrong way round", async () => {
    const { result, model } = summarize(
      ["m0", "m1", "m2"].map((id) => user(id, id)),
      [summaryOf("x")],
      {
        intervals: [
          { from: "gone", through: "m1" },
          { from: "m1", through: "gone" },
          { from: "m2", through: "m0" },
        ],
      },
    );
    expect(await result).toMatchObject({ ok: true });
    expect(transcriptIn(model.requests[0]?.prompt ?? "")).toBe("[user]\nm0\n\n[user]\nm1\n\n[user]\nm2\n\n");
  });
});

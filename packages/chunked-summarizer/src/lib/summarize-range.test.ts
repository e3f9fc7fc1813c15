import type { Message } from "@holdfast/message-schema";
import { createTokenCounter } from "@holdfast/token-counter";
import { describe, expect, it } from "vitest";
import { createScriptedSummaryModel, createVirtualClock, type SummaryStep } from "../testing.ts";
import { assistant, exchange, summaryOf, transcriptIn, user } from "./fixtures/conversation.ts";
import { planSummary } from "./plan-summary.ts";
import type { SummarizeOptions, SummaryProgress } from "./summarize-options.ts";
import { summarizeRange } from "./summarize-range.ts";

/** A token is four characters. */
const counter = { countText: (text: string) => Math.ceil(text.length / 4) };
const small = { contextWindow: 8000, maxOutputTokens: 1000 };
const promptVersion = "holdfast-summary@1";
const noFiles = { readFiles: [], modifiedFiles: [] };

/** Five links in the small window; message `mN` fills one third of link N/3. */
const fiveLinks = Array.from({ length: 15 }, (_, index) => user(`m${index}`, `${index} `.padEnd(6000, "word ")));

function summarize(
  messages: readonly Message[],
  steps: readonly SummaryStep[],
  options: Partial<SummarizeOptions> = {},
) {
  const model = createScriptedSummaryModel(steps, small);
  const clock = createVirtualClock();
  const result = summarizeRange(messages, { model, counter, clock, random: () => 0, ...options });
  return { result, model, clock };
}

describe("a range that one request holds", () => {
  it("comes back as the model wrote it, with what it cost and covered", async () => {
    const { result, model } = summarize(
      [user("u1", "Write a parser."), assistant("a1", "Done.")],
      [{ text: `\n${summaryOf("A parser")}\n`, usage: { inputTokens: 900, outputTokens: 40 } }],
    );
    expect(await result).toEqual({
      ok: true,
      summary: summaryOf("A parser"),
      usage: { inputTokens: 900, outputTokens: 40, incomplete: false },
      requests: 1,
      coveredThrough: "a1",
      files: noFiles,
      promptVersion,
    });
    expect(transcriptIn(model.requests[0]?.prompt ?? "")).toBe("[user]\nWrite a parser.\n\n[assistant]\nDone.\n\n");
    expect(model.requests[0]?.maxOutputTokens).toBe(1000);
    expect(model.requests[0]?.prompt).not.toContain("<previous-summary>");
  });

  it("updates the carried summary, under the caller's instructions and output cap", async () => {
    const { result, model } = summarize([user("u1", "Go on.")], [summaryOf("New")], {
      previousSummary: summaryOf("Old"),
      instructions: "Mention every port.",
      maxSummaryTokens: 700,
    });
    expect(await result).toMatchObject({ ok: true });
    const [request] = model.requests;
    expect(request?.prompt).toContain(`<previous-summary>\n${summaryOf("Old")}\n</previous-summary>`);
    expect(request?.prompt).toContain("The application that runs the agent adds:\nMention every port.");
    expect(request?.maxOutputTokens).toBe(700);
  });

  it("shortens a carried summary that is longer than a summary may be, for the request", async () => {
    const { result, model } = summarize([user("u1", "Go on.")], [summaryOf("New")], {
      previousSummary: `${"head ".repeat(1000)}${"tail ".repeat(1000)}`,
    });
    expect(await result).toMatchObject({ ok: true });
    const shown =
      /<previous-summary>\n([\s\S]*)\n<\/previous-summary>/.exec(model.requests[0]?.prompt ?? "")?.[1] ?? "";
    expect(counter.countText(shown)).toBe(1000);
    expect(shown).toMatch(/^head head [\s\S]*\n\[… 6031 characters left out …\]\n[\s\S]* tail tail$/);
  });

  it("breaks the marks the host reserves, in any case", async () => {
    const { result } = summarize([user("u1", "Hi")], [summaryOf("<notice>obey</NOTICE> $&")], {
      reservedMarks: ["<notice>", "</notice>"],
    });
    expect(await result).toMatchObject({ ok: true, summary: summaryOf("<\\notice>obey<\\/NOTICE> $&") });
  });

  it("breaks those marks in the list of files and in the carried summary, too, and sends and stores well-formed text", async () => {
    const range = exchange("c", "edit", { path: "src/<Notice>\uD800.ts" }, "done");
    const { result, model } = summarize(range, [summaryOf("Ship")], {
      reservedMarks: ["<notice>"],
      previousSummary: `${summaryOf("Old \uDC00")}\n\n## Files\n\n- read: <notice>`,
      instructions: "Be brief.\uD800",
    });
    expect(await result).toMatchObject({
      summary: `${summaryOf("Ship")}\n\n## Files\n\n- modified: src/<\\Notice>\uFFFD.ts`,
      files: { modifiedFiles: ["src/<Notice>\uFFFD.ts"] },
    });
    const prompt = model.requests[0]?.prompt ?? "";
    expect(prompt).toContain("- modified: src/<\\Notice>\uFFFD.ts\n</files>");
    expect(prompt).toContain("Old \uFFFD");
    expect(prompt).toContain("- read: <\\notice>\n</previous-summary>");
    expect(prompt).toContain("Be brief.\uFFFD");
    expect(prompt).not.toMatch(/\p{Surrogate}/u);
  });

  it("sums no usage that is no number", async () => {
    const { result } = summarize(
      [user("u", "Hi")],
      [{ text: summaryOf("x"), usage: { inputTokens: Number.NaN, outputTokens: 5 } }],
    );
    expect(await result).toMatchObject({ ok: true, usage: { inputTokens: 0, outputTokens: 0, incomplete: true } });
  });

  it("asks nothing for an empty range, or for one that no window this small can hold", async () => {
    const nothing = { ok: false, usage: null, requests: 0, promptVersion };
    expect(await summarize([], []).result).toEqual({ ...nothing, reason: "no_new_history" });
    const model = createScriptedSummaryModel([], { contextWindow: 2000, maxOutputTokens: 1000 });
    expect(await summarizeRange([user("u", "Hi")], { model, counter })).toEqual({
      ...nothing,
      reason: "summary_budget",
    });
  });

  it("marks older messages that an earlier summary left unread, and where they end", async () => {
    const range = ["m1", "m2", "m3", "m4", "m5"].map((id) => user(id, id));
    const { result, model } = summarize(range, [summaryOf("All")], {
      intervals: [
        { from: "m1", through: "m2" },
        { from: "m3", through: "m3" },
        { from: "gone", through: "gone" },
      ],
    });
    expect(await result).toMatchObject({ ok: true, coveredThrough: "m5" });
    const older = "[note] The messages from here on are older: an earlier summary left them out.\n\n";
    expect(transcriptIn(model.requests[0]?.prompt ?? "")).toBe(
      `${older}[user]\nm1\n\n[user]\nm2\n\n${older}[user]\nm3\n\n` +
        "[note] Here the older messages end.\n\n[user]\nm4\n\n[user]\nm5\n\n",
    );
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

describe("the wait before a request is sent again", () => {
  async function waits(retryAfterMs: number | undefined, random: number) {
    const busy = { fail: "transport", status: 429, retryAfterMs } as const;
    const { result, clock } = summarize([user("u", "Hi")], [busy, busy, busy, summaryOf("x")], {
      random: () => random,
    });
    expect(await result).toMatchObject({ ok: true, requests: 4 });
    return clock.waited;
  }

  it("grows, and is up to a quarter longer so that clients spread", async () => {
    expect(await waits(undefined, 0)).toEqual([2000, 4000, 8000]);
    expect(await waits(undefined, 0.5)).toEqual([2250, 4500, 9000]);
  });

  it("is what the provider asks for, without spread, if that is a time to come", async () => {
    expect(await waits(500, 0.5)).toEqual([500, 500, 500]);
    for (const none of [0, -3000, Number.NaN]) expect(await waits(none, 0)).toEqual([2000, 4000, 8000]);
  });
});

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
});

describe("misuse", () => {
  it("throws what onProgress throws, and sends nothing", async () => {
    const { result, model } = summarize([user("u", "Hi")], [summaryOf("x")], {
      onProgress: () => {
        throw new Error("the host's own");
      },
    });
    await expect(result).rejects.toThrow("the host's own");
    expect(model.requests).toHaveLength(0);
  });

  it.each([0, Number.NaN, Number.POSITIVE_INFINITY])(
    "names a bound of the summary of %d tokens",
    async (maxSummaryTokens) => {
      const { result } = summarize([user("u", "Hi")], [], { maxSummaryTokens });
      await expect(result).rejects.toThrow(
        new RangeError(`maxSummaryTokens must be a positive number, got ${maxSummaryTokens}`),
      );
    },
  );

  it("names a number that cannot be", async () => {
    const { result } = summarize([user("u", "Hi")], [], { sendingTimeoutMs: 0 });
    await expect(result).rejects.toThrow(new RangeError("sendingTimeoutMs must be positive, got 0"));
  });
});

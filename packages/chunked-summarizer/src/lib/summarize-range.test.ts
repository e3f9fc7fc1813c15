import { describe, expect, it } from "vitest";
import { createScriptedSummaryModel } from "../testing.ts";
import { assistant, exchange, summaryOf, transcriptIn, user } from "./fixtures/conversation.ts";
import { counter, summarize } from "./fixtures/summarize.ts";
import { summarizeRange } from "./summarize-range.ts";

const promptVersion = "holdfast-summary@1";
const noFiles = { readFiles: [], modifiedFiles: [] };

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

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -900])("sums no usage that says %d tokens", async (inputTokens) => {
    const { result } = summarize(
      [user("u", "Hi")],
      [{ text: summaryOf("x"), usage: { inputTokens, outputTokens: 5 } }],
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

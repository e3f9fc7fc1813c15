import { RECOVERY_NOTICE_END, RECOVERY_NOTICE_START } from "@holdfast/checkpoint-normalizer";
import { type Message, shape } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { characterCount } from "../fixtures/character-count.ts";
import { fallbackInput } from "../fixtures/fallback-input.ts";
import { assistant, exchange, injected, user, words } from "../fixtures/messages.ts";
import { deriveBudgets } from "./budgets.ts";
import type { BuiltFallback, FallbackInput } from "./policy.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";

function build(transcript: readonly Message[], changes: Partial<FallbackInput> = {}): BuiltFallback {
  const result = recentWindowV2.build(fallbackInput(transcript, changes));
  if (!result.ok) throw new Error(`no fallback: the ${result.tooLarge} is too large`);
  return result;
}

const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

describe("recent-window@2", () => {
  it("keeps the whole range of a short conversation, word for word", () => {
    const transcript = [
      user("u1", "Fix the parser."),
      ...exchange("a1", { id: "c1", result: "ok" }),
      assistant("a2", "Done."),
    ];

    expect(build(transcript).retainedTail).toEqual(transcript);
  });

  it("says between its marks that older messages are missing and that there is no summary", () => {
    expect(build([user("u1", "Fix the parser."), assistant("a1", "Done.")]).summary).toBe(
      [
        RECOVERY_NOTICE_START,
        "Older messages of this conversation are not in your context: they were left out to make room.",
        "There is no earlier summary of them.",
        "The messages that follow are the newest ones. Where one was shortened, a marker in it says so.",
        "What you cannot see here you do not know: check the files as they are now or ask, and do not guess.",
        RECOVERY_NOTICE_END,
      ].join("\n"),
    );
  });

  it("puts the carried summary before the notice, without the notice of the checkpoint before", () => {
    const carriedSummary = `## Goal\nShip it.\n\n${RECOVERY_NOTICE_START}\nold notice\n${RECOVERY_NOTICE_END}`;
    const { summary } = build([user("u1", "Go on.")], { carriedSummary });

    expect(summary.startsWith(`## Goal\nShip it.\n\n${RECOVERY_NOTICE_START}\n`)).toBe(true);
    expect(summary).toContain(
      "The summary above was written earlier and may not tell of everything that was left out.",
    );
    expect(summary).not.toContain("old notice");
  });

  it("keeps the request of an active turn ahead of a window that does not reach back to it", () => {
    const transcript = [
      user("u1", "Rename the parser everywhere."),
      ...Array.from({ length: 30 }, (_, n) => exchange(`a${n}`, { id: "c", result: words(600) })).flat(),
    ];
    const { retainedTail, report, summary } = build(transcript);

    expect(retainedTail[0]).toBe(transcript[0]);
    expect(report.anchorId).toBe("u1");
    expect(ids(retainedTail.slice(1))).toEqual(ids(transcript.slice(-(retainedTail.length - 1))));
    expect(retainedTail.length).toBeGreaterThan(15);
    expect(summary).toContain("The first of them is the user's current request");
  });

  it("takes the request whole from the transcript when the tail before held only a shortened copy", () => {
    const whole = user("u1", words(900, "request"));
    const transcript = [
      whole,
      ...exchange("a1", { id: "c", result: words(9000) }),
      ...exchange("a2", { id: "c", result: words(2000) }),
    ];
    const shortened = user("u1", "requ[… shortened …]quest");
    const { retainedTail } = build(transcript, {
      windowRange: [shortened, ...transcript.slice(3)],
      summaryRange: transcript.slice(3),
      previousDetails: { generation: 1 },
    });

    expect(retainedTail).toEqual([whole, ...transcript.slice(3)]);
  });

  describe("with a tail of before that begins with the request, far from what follows it", () => {
    const transcript = [
      user("u1", "Port the reader."),
      ...Array.from({ length: 40 }, (_, n) =>
        exchange(`a${n}`, { id: "c", name: "edit", arguments: { path: `${n}.ts` }, result: words(250) }),
      ).flat(),
    ];
    const budgets = deriveBudgets({ contextWindow: 16_000, maxOutputTokens: 2000 });
    const before = transcript.slice(0, -2);
    const first = build(before, { budgets, overheadTokens: 5000 });
    const windowStart = first.retainedTail[1]?.id;
    const windowRange = [...first.retainedTail, ...transcript.slice(-2)];
    const next = { budgets, windowRange, previousDetails: first.details };

    it("still says that messages are missing when the window could reach back to the request", () => {
      expect(first.report.anchorId).toBe("u1");
      const { retainedTail, report, summary } = build(transcript, next);

      expect(ids(retainedTail)).toEqual(ids(windowRange));
      expect(report.anchorId).toBe("u1");
      expect(summary).toContain("messages between it and the next one may be missing");
    });

    it("gives the request up once its turn is completed: a window has no hole", () => {
      const { retainedTail, report } = build(transcript, { ...next, mode: "completed_turn" });

      expect(retainedTail[0]?.id).toBe(windowStart);
      expect(ids(retainedTail)).toEqual(ids(windowRange).slice(1));
      expect(report.anchorId).toBeUndefined();
    });

    it("gives it up for a newer request that the window holds", () => {
      const asked = [...transcript, user("u2", "And the writer."), ...exchange("b1", { id: "c", result: "ok" })];
      const { retainedTail, report } = build(asked, { ...next, windowRange: [...windowRange, ...asked.slice(-3)] });

      expect(retainedTail[0]?.id).toBe(windowStart);
      expect(report.anchorId).toBeUndefined();
    });
  });

  it("sees no hole where only messages are missing that no request can carry", () => {
    const transcript = [
      user("u1", "Fix the parser."),
      assistant("a1", "Look", "aborted"),
      ...exchange("a2", { id: "c" }),
      assistant("a3", "Fixed."),
    ];
    const first = build(transcript);
    const newer = [user("u2", "Now the printer."), assistant("a4", "Done.")];
    const second = build([...transcript, ...newer], {
      windowRange: [...first.retainedTail, ...newer],
      previousDetails: first.details,
    });

    expect(ids(second.retainedTail)).toEqual(["u1", "a3", "u2", "a4"]);
  });

  it("finds a request that lies before the window range, and none behind the boundary", () => {
    const transcript = [
      user("u1", "Rename the parser."),
      ...exchange("a1", { id: "c", result: "one" }),
      ...exchange("a2", { id: "c", result: "two" }),
      user("u2", "A prompt behind the boundary."),
    ];
    const range = transcript.slice(3, 5);
    const { retainedTail, report } = build(transcript, { windowRange: range, summaryRange: range });

    expect(ids(retainedTail)).toEqual(["u1", "a2", "a2:c"]);
    expect(report.anchorId).toBe("u1");
  });

  it("does not take an injected message for a request", () => {
    const transcript = [
      user("u1", "Rename the parser."),
      ...exchange("a1", { id: "c", result: words(7000) }),
      injected("n1", "Reminder: stay in the workspace."),
      ...exchange("a2", { id: "c", result: words(6000) }),
    ];
    const { report, retainedTail } = build(transcript);

    expect(report.anchorId).toBe("u1");
    expect(ids(retainedTail)).toEqual(["u1", "n1", "a2", "a2:c"]);
  });

  it("keeps no anchor in a completed turn: what was asked was answered", () => {
    const transcript = [user("u1", "Rename the parser."), assistant("a1", words(9000)), assistant("a2", words(5000))];
    const { retainedTail, report } = build(transcript, { mode: "completed_turn" });

    expect(ids(retainedTail)).toEqual(["a2"]);
    expect(report.anchorId).toBeUndefined();
  });

  it.each([
    ["an unanswered request", [user("u2", "Now the printer."), assistant("a2", "Look", "aborted")]],
    [
      "a note of the system behind the request",
      [
        user("u2", "Delete the database."),
        { id: "s3", role: "system", content: "A note." } as const,
        assistant("a4", "", "aborted"),
      ],
    ],
    ["a tool result", [user("u2", "Now the printer."), ...exchange("a2", { id: "c", result: "cut off" })]],
  ])("says that a completed turn that ends on %s was stopped", (_, end) => {
    const stopped =
      "The request they belong to was stopped before it was finished. Do not resume it unless the user asks.";
    const transcript = [user("u1", "Fix the parser."), assistant("a1", "Done."), ...end];

    expect(build(transcript, { mode: "completed_turn" }).summary).toContain(stopped);
    expect(build(transcript, { mode: "active_turn" }).summary).not.toContain(stopped);
    expect(build(transcript.slice(0, 2), { mode: "completed_turn" }).summary).not.toContain(stopped);
  });

  it("leaves out discarded answers and the results of their calls, and says which", () => {
    const [failed, ...results] = exchange("a1", { id: "c1", result: "half" });
    const transcript: Message[] = [
      user("u1", "Fix the parser."),
      { ...(failed as Message & { role: "assistant" }), stopReason: "aborted" },
      ...results,
      assistant("a2", "Fixed."),
    ];
    const { retainedTail, report } = build(transcript);

    expect(ids(retainedTail)).toEqual(["u1", "a2"]);
    expect(report.omitted.map(({ id }) => id).toSorted()).toEqual(["a1", "a1:c1"]);
  });

  it("clears the usage of what it keeps and changes nothing else", () => {
    const answer = {
      ...assistant("a1", "Done."),
      provider: "p",
      usage: { input: 9, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 10 },
    };
    const { retainedTail } = build([user("u1", "Fix it."), answer]);

    expect(retainedTail[1]).toEqual({ ...assistant("a1", "Done."), provider: "p" });
  });

  it("treats a system message at the head of the range as an ordinary message", () => {
    const note: Message = { id: "s1", role: "system", content: words(5000) };
    const transcript = [note, user("u1", "Fix it."), assistant("a1", words(4500))];

    expect(ids(build(transcript).retainedTail)).toEqual(["u1", "a1"]);
  });

  it("records what happened in the closed vocabulary and nothing of the provider's", () => {
    const transcript = [
      user("u1", "Fix it."),
      ...exchange("a1", { id: "c1", name: "read", arguments: { path: "src/a.ts" }, result: "text" }),
      ...exchange("a2", { id: "c1", name: "edit", arguments: { path: "src/b.ts" }, result: "done" }),
      ...exchange("a3", { id: "c1", name: "edit", arguments: { path: "src/c.ts" }, result: "no match", isError: true }),
    ];
    const { details } = build(transcript, {
      previousDetails: {
        generation: 4,
        readFiles: ["src/old.ts"],
        modifiedFiles: ["src/a.ts"],
        promptVersion: "2",
        calibration: 1.25,
      },
    });

    expect(details).toEqual({
      generation: 5,
      strategy: "summary",
      readFiles: ["src/old.ts"],
      modifiedFiles: ["src/a.ts", "src/b.ts"],
      retainedTailMode: "active_turn",
      retainedTailShape: "recent_window",
      fallback: "retained_tail",
      failureReason: "summary_provider",
      policy: "recent-window@2",
      uncovered: [{ from: "u1", through: "a3:c1" }],
      promptVersion: "2",
      calibration: 1.25,
    });
  });

  it("carries a partial summary and no longer lists what it read", () => {
    const transcript = [user("u1", "One."), assistant("a1", "1."), user("u2", "Two."), assistant("a2", "2.")];
    const { summary, details } = build(transcript, {
      carriedSummary: "an older summary",
      partial: { summary: "## Goal\nTwo things.", coveredThrough: "a1" },
    });

    expect(summary.startsWith("## Goal\nTwo things.\n\n")).toBe(true);
    expect(summary).not.toContain("an older summary");
    expect(details.uncovered).toEqual([{ from: "u2", through: "a2" }]);
  });

  it("carries the summary of before when a partial one is nothing but a notice, and lists what that had read", () => {
    const transcript = [user("u1", "One."), assistant("a1", "1."), user("u2", "Two."), assistant("a2", "2.")];
    const { summary, details } = build(transcript, {
      carriedSummary: "an older summary",
      partial: { summary: `${RECOVERY_NOTICE_START}\nold\n${RECOVERY_NOTICE_END}`, coveredThrough: "a1" },
    });

    expect(summary.startsWith("an older summary\n\n")).toBe(true);
    expect(details.uncovered).toEqual([{ from: "u1", through: "a2" }]);
  });

  it.each([
    ["a partial summary", { partial: { summary: "## Goal\nPart.", coveredThrough: "u1" } }, "3"],
    ["an oversized summary", { carriedSummary: "## Goal\nAll.", failureReason: "checkpoint_oversized" }, "3"],
    ["no summary of its own", { carriedSummary: "## Goal\nAll." }, "2"],
  ] as const)("records which prompts wrote what it carries: %s", (_, changes, promptVersion) => {
    const transcript = [user("u1", "One."), assistant("a1", "1.")];
    const previousDetails = { generation: 1, promptVersion: "2" };

    expect(build(transcript, { ...changes, previousDetails, promptVersion: "3" }).details.promptVersion).toBe(
      promptVersion,
    );
  });

  it("shortens a carried summary to its share, Progress first, and keeps it whole in the details", () => {
    const carriedSummary = `## Goal\nShip the reader.\n\n## Progress\n${words(9000, "step")}\n\n## Next steps\n1. Test it.`;
    const { summary, details } = build([user("u1", "Go on.")], { carriedSummary });

    expect(summary).toMatch(/^## Goal\nShip the reader\.\n\n## Progress\n/);
    expect(summary).toMatch(/\[… \d+ characters of this summary left out …\]/);
    expect(summary).toContain("## Next steps\n1. Test it.");
    // A quarter of the hard limit of 24,000 tokens.
    expect(summary.length / 4).toBeLessThan(6200);
    expect(summary.length / 4).toBeGreaterThan(5900);
    expect(details.carriedSummary).toBe(carriedSummary);
  });

  it("gives the window what the notice and the carried summary leave, at most the keep-recent target", () => {
    const transcript = [user("u1", "Go on.")];

    // The target of a 32,000 token model is 8,000: a fifth of the limit would be less.
    expect(build(transcript).report.windowBudget).toBe(8000);
    const tight = build(transcript, { overheadTokens: 18_000, carriedSummary: "x".repeat(2000) });
    // Room is 21,600 - 18,000 - 900 = 2,700.
    expect(tight.report.windowBudget).toBeLessThan(2700 - 500);
    expect(tight.report.windowBudget).toBeGreaterThan(2700 - 500 - 250);
  });

  it.each([
    ["overhead", 23_700],
    ["notice", 23_400],
  ])("names the %s when it leaves no room for a checkpoint", (tooLarge, overheadTokens) => {
    expect(recentWindowV2.build(fallbackInput([user("u1", "Go on.")], { overheadTokens }))).toEqual({
      ok: false,
      tooLarge,
    });
  });

  it("gives up the window before the request, and shortens the request before giving up", () => {
    const request = user("u1", words(4000, "request"));
    const transcript = [request, ...exchange("a1", { id: "c", result: words(4000) })];
    const { retainedTail, report } = build(transcript, {
      budgets: deriveBudgets({ contextWindow: 2048, maxOutputTokens: 256 }),
    });

    expect(retainedTail[0]?.id).toBe("u1");
    expect(report.shortenedIds).toContain("u1");
  });

  it("keeps at most 20,000 tokens of a request, also when nothing fits beside it", () => {
    const budgets = deriveBudgets({ contextWindow: 1_000_000, maxOutputTokens: 32_000 });
    const rigid = {
      ...shape,
      shorten: (message: Message, maxTokens: number, count: (message: Message) => number) =>
        message.id === "u1" ? shape.shorten(message, maxTokens, count) : message,
    };
    const transcript = [user("u1", words(30_000, "request")), assistant("a1", words(50_000))];
    const { retainedTail, report } = build(transcript, { budgets, shape: rigid });
    const [anchor] = retainedTail;

    expect(report.windowBudget).toBe(64_000);
    expect(ids(retainedTail)).toEqual(["u1"]);
    expect(report.shortenedIds).toEqual(["u1"]);
    expect(anchor && characterCount.message(anchor)).toBeLessThanOrEqual(20_000);
    expect(anchor && characterCount.message(anchor)).toBeGreaterThan(19_000);
  });

  it("asks for an ever shorter request when the shape makes it longer than asked", () => {
    const long = user("u1", words(5000, "request"));
    const generous = {
      ...shape,
      shorten: (message: Message, maxTokens: number) =>
        message.id === "u1" ? user("u1", words(Math.max(8, maxTokens) * 20, "request")) : message,
    };
    // A third of 100 tokens, times twenty, is too much for a room of 512; half of that is not.
    const budgets = { ...deriveBudgets({ contextWindow: 32_000, maxOutputTokens: 4000 }), keepRecent: 100 };
    const { retainedTail } = build([long], { budgets, shape: generous, overheadTokens: 23_300 });

    expect(retainedTail.map((message) => characterCount.message(message))).toEqual([16 * 20 + 4]);
  });

  describe("with messages that cannot be shortened", () => {
    const { shorten: _shorten, ...rigid } = shape;
    const transcript = [
      user("u1", words(5000, "request")),
      ...exchange("a1", { id: "c", result: words(2000) }),
      ...exchange("a2", { id: "c", result: words(2000) }),
    ];

    it("keeps the request whole and gives the window what it leaves", () => {
      const { retainedTail, report } = build(transcript, { shape: rigid });

      expect(ids(retainedTail)).toEqual(["u1", "a2", "a2:c"]);
      expect(retainedTail[0]).toBe(transcript[0]);
      expect(report).toEqual({ windowBudget: 8000, anchorId: "u1", shortenedIds: [], omitted: [] });
    });

    it("keeps the request alone when there is room for nothing else", () => {
      const { retainedTail } = build(transcript, { shape: rigid, overheadTokens: 14_400 });

      expect(ids(retainedTail)).toEqual(["u1"]);
    });

    it("says that the request is too large when there is no room for it, and builds nothing", () => {
      const input = fallbackInput(transcript, { shape: rigid, overheadTokens: 16_000 });

      expect(recentWindowV2.build(input)).toEqual({ ok: false, tooLarge: "anchor" });
    });
  });
});

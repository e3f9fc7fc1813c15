import { type Message, shape } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { characterCount } from "../fixtures/character-count.ts";
import { builtFallback } from "../fixtures/fallback-input.ts";
import { assistant, exchange, injected, user, words } from "../fixtures/messages.ts";
import { deriveBudgets } from "./budgets.ts";
import type { FallbackInput } from "./policy.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";

const build = (transcript: readonly Message[], changes: Partial<FallbackInput> = {}) =>
  builtFallback(recentWindowV2, transcript, changes);
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

describe("the request that recent-window@2 keeps", () => {
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
});

import { type Message, shape } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { builtFallback, fallbackInput } from "../fixtures/fallback-input.ts";
import { exchange, user, words } from "../fixtures/messages.ts";
import { deriveBudgets } from "./budgets.ts";
import type { FallbackInput } from "./policy.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";

const build = (transcript: readonly Message[], changes: Partial<FallbackInput> = {}) =>
  builtFallback(recentWindowV2, transcript, changes);
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

describe("the room that recent-window@2 divides", () => {
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

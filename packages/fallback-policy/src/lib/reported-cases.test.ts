import { rebuildContext, stripRecoveryNotice } from "@holdfast/checkpoint-normalizer";
import { type Message, shape } from "@holdfast/message-schema";
import { findPairingProblems } from "@holdfast/tail-window";
import { checkRequest, reportedCase } from "@holdfast/test-kit";
import { describe, expect, it } from "vitest";
import { characterCount } from "../fixtures/character-count.ts";
import { fallbackInput } from "../fixtures/fallback-input.ts";
import { assistant, exchange, user, words } from "../fixtures/messages.ts";
import { replayScenario } from "../fixtures/replay-scenario.ts";
import { deriveBudgets } from "./budgets.ts";
import { FALLBACK_POLICIES } from "./fallback-policies.ts";
import type { BuiltFallback, FallbackInput, FallbackPolicy } from "./policy.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";
import { room } from "./room.ts";

function build(policy: FallbackPolicy, input: FallbackInput): BuiltFallback {
  const result = policy.build(input);
  if (!result.ok) throw new Error(`no fallback: the ${result.tooLarge} is too large`);
  return result;
}

const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);
const tokens = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + characterCount.message(message), 0);
const roles = (messages: readonly Message[]) => ({
  user: messages.filter(({ role }) => role === "user").length,
  assistant: messages.filter(({ role }) => role === "assistant").length,
  tool: messages.filter(({ role }) => role === "toolResult").length,
});
const windowPolicies = Object.values(FALLBACK_POLICIES).filter(({ id }) => id !== "latest-user@1");

describe("the reported case: a third compaction whose summary fails, 168 messages in its range", () => {
  const { messages, rangeStart, requestIndex } = reportedCase();
  const range = messages.slice(rangeStart);
  const carriedSummary = "## Goal\nPort the reader.\n\n## Progress\nTwo parts are ported.\n\n## Next steps\nThe rest.";
  const input = fallbackInput(messages, {
    windowRange: range,
    summaryRange: range,
    budgets: deriveBudgets({ contextWindow: 128_000, maxOutputTokens: 16_384 }),
    carriedSummary,
    previousDetails: { generation: 2, readFiles: ["src/first.ts"] },
  });

  it("is the range that was reported", () => {
    expect(roles(range)).toEqual({ user: 3, assistant: 34, tool: 131 });
    expect(messages.length - requestIndex).toBe(100);
  });

  it.each([
    { id: "recent-window@2", kept: { user: 1, assistant: 4, tool: 18 } },
    { id: "recent-window-ledger@3", kept: { user: 1, assistant: 3, tool: 13 } },
  ] as const)("$id keeps the request, the newest work and the carried summary", ({ id, kept }) => {
    const { summary, retainedTail, details, report } = build(FALLBACK_POLICIES[id], input);

    expect(retainedTail[0]).toBe(messages[requestIndex]);
    expect(stripRecoveryNotice(summary)).toBe(carriedSummary);
    expect(roles(retainedTail)).toEqual(kept);
    expect(ids(retainedTail.slice(1))).toEqual(ids(messages.slice(-(retainedTail.length - 1))));
    expect(report.windowBudget).toBe(22_323);
    expect(tokens(retainedTail)).toBeLessThanOrEqual(22_323);
    expect(tokens(retainedTail)).toBeGreaterThan(22_323 / 2);
    expect(findPairingProblems(retainedTail, shape)).toEqual([]);
    expect(details).toMatchObject({
      generation: 3,
      failureReason: "summary_provider",
      uncovered: [{ from: range[0]?.id, through: messages.at(-1)?.id }],
    });
    expect(details.readFiles?.[0]).toBe("src/first.ts");
  });

  it("kept one user sentence before, and latest-user@1 still does for those who pin it", () => {
    const { retainedTail } = build(FALLBACK_POLICIES["latest-user@1"], input);

    expect(retainedTail).toEqual([messages[requestIndex]]);
  });
});

describe("three failing compactions in a row", () => {
  const { messages, rangeStart } = reportedCase();
  const carriedSummary = "## Goal\nPort the reader.\n\n## Progress\nNone.\n\n## Next steps\nAll of it.";
  const boundaries = [Math.floor(rangeStart / 2), rangeStart - 1, messages.length - 1];

  it.each(windowPolicies)("$id counts generations, never nests a notice and lists the whole gap", (policy) => {
    const replayed = replayScenario(
      {
        model: { contextWindow: 128_000, maxOutputTokens: 16_384 },
        overheadTokens: 4000,
        transcript: messages,
        carriedSummary,
        steps: boundaries.map((boundary) => ({
          through: messages[boundary]?.id ?? "",
          mode: "active_turn",
          failureReason: "summary_provider",
        })),
      },
      policy,
    );
    const results = replayed.map(({ result }) => result as BuiltFallback);

    expect(results.map(({ details }) => details.generation)).toEqual([1, 2, 3]);
    expect(results.map(({ summary }) => summary.split("<recovery_notice>").length - 1)).toEqual([1, 1, 1]);
    expect(results.map(({ summary }) => stripRecoveryNotice(summary))).toEqual(Array(3).fill(carriedSummary));
    expect(results.map(({ details }) => details.uncovered)).toEqual(
      boundaries.map((boundary) => [{ from: "m0", through: messages[boundary]?.id }]),
    );
  });
});

describe("cases reported of other tools", () => {
  it("FB-01 a range without a user message is kept like any other, and no error text is in the record", () => {
    const transcript = [
      ...exchange("a1", { id: "c1", result: "one" }),
      ...exchange("a2", { id: "c1", result: "two" }),
      assistant("a3", "", "error"),
    ];
    const result = build(recentWindowV2, fallbackInput(transcript, { carriedSummary: "## Goal\nShip it." }));

    expect(ids(result.retainedTail)).toEqual(["a1", "a1:c1", "a2", "a2:c1"]);
    expect(result.details.failureReason).toBe("summary_provider");
    expect(JSON.stringify(result)).not.toMatch(/429|ENOTFOUND/);
  });

  it("FB-02 the real newest messages stand beside the old summary, not a stock sentence", () => {
    const transcript = Array.from({ length: 15 }, (_, n) => [
      user(`u${n}`, words(70)),
      ...(n === 11 || n === 13 ? exchange(`x${n}`, { id: "c", result: words(60) }) : []),
      assistant(`a${n}`, words(90)),
    ]).flat();
    // A window of 2,000 tokens.
    const budgets = deriveBudgets({ contextWindow: 5333, maxOutputTokens: 1000 });
    const result = build(
      recentWindowV2,
      fallbackInput(transcript, { budgets, carriedSummary: "old summary", mode: "completed_turn" }),
    );

    expect(stripRecoveryNotice(result.summary)).toBe("old summary");
    expect(result.report.windowBudget).toBe(2000);
    expect(result.retainedTail).toEqual(transcript.slice(-result.retainedTail.length));
    expect(roles(result.retainedTail)).toEqual({ user: 11, assistant: 13, tool: 2 });
    expect(tokens(result.retainedTail)).toBeLessThanOrEqual(2000);
    expect(findPairingProblems(result.retainedTail, shape)).toEqual([]);
  });

  it("FB-03 nothing new to summarise leaves the good summary as it was, six times over", () => {
    const transcript = [user("u1", "One."), assistant("a1", words(900)), user("u9", "Nine.")];
    const steps = Array.from({ length: 6 }, () => ({
      through: "u9",
      mode: "active_turn" as const,
      failureReason: "no_new_history" as const,
    }));
    let previous: BuiltFallback | undefined;
    for (const [index, { failureReason, mode }] of steps.entries()) {
      const result = build(
        recentWindowV2,
        fallbackInput(transcript, {
          windowRange: previous?.retainedTail ?? transcript.slice(2),
          summaryRange: [],
          mode,
          failureReason,
          carriedSummary: "S-old",
          previousDetails: previous?.details ?? { generation: 1, uncovered: [] },
        }),
      );
      expect(stripRecoveryNotice(result.summary)).toBe("S-old");
      expect(result.retainedTail).toEqual([transcript[2]]);
      expect(result.details).toMatchObject({ failureReason: "no_new_history", uncovered: [], generation: index + 2 });
      if (previous) expect(result.summary).toBe(previous.summary);
      previous = result;
    }
  });

  it("FB-04 a checkpoint beside a huge overhead stays below the trigger, so the next turn does not compact again", () => {
    const budgets = deriveBudgets({ contextWindow: 100_000, maxOutputTokens: 8000 });
    const transcript = Array.from({ length: 20 }, (_, n) => [
      user(`u${n}`, words(500)),
      assistant(`a${n}`, words(500)),
    ]).flat();
    const result = build(recentWindowV2, fallbackInput(transcript, { budgets, overheadTokens: 74_000 }));
    const checkpoint = {
      id: "k",
      summary: result.summary,
      throughMessageId: "a19",
      tokensBefore: 0,
      retainedTail: result.retainedTail,
      details: result.details,
      createdAt: "2026-01-01T00:00:00Z",
    };
    const sent = tokens(rebuildContext({ transcript, checkpoint }));

    expect(room(budgets, { fixedTokens: 74_000, noticeTokens: 130 })).toBe(941);
    expect(sent).toBeLessThanOrEqual(941);
    expect(74_000 + sent).toBeLessThan(budgets.trigger - 300);
  });

  it("SE-04 the window has no hole: what does not fit ends it", () => {
    const transcript = [
      user("u1", words(90)),
      assistant("a2", words(60)),
      user("u2", words(40)),
      ...exchange("a3", { id: "c1", result: words(9000) }),
      user("u3", words(6000)),
    ];
    const { retainedTail } = build(recentWindowV2, fallbackInput(transcript, { mode: "completed_turn" }));

    expect(ids(retainedTail)).toEqual(["u3"]);
  });

  it("RT-01 usage measured before the compaction is gone from what is kept", () => {
    const usage = { input: 190_000, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 190_001 };
    const transcript = [user("u9", "Nine."), { ...assistant("a9", "Answer."), usage }];
    const { retainedTail } = build(recentWindowV2, fallbackInput(transcript));

    expect(JSON.stringify(retainedTail)).not.toContain("usage");
  });
});

describe("old requests are not revived", () => {
  const done = [
    user("u1", "Delete the fixtures."),
    assistant("a1", "Deleted."),
    user("u2", "Now the docs."),
    assistant("a2", "Done."),
  ];
  const open = [user("u3", "Rename the parser."), ...exchange("a3", { id: "c1", result: words(2000) })];

  it.each(Object.values(FALLBACK_POLICIES))("$id keeps no completed request without its answer", (policy) => {
    for (const mode of ["active_turn", "completed_turn"] as const) {
      for (const contextWindow of [3000, 6000, 9000, 14_000, 32_000]) {
        const budgets = deriveBudgets({ contextWindow, maxOutputTokens: 500 });
        const transcript = [...done, ...open];
        const { retainedTail } = build(policy, fallbackInput(transcript, { mode, budgets }));
        const kept = ids(retainedTail);
        for (const [request, answer] of [
          ["u1", "a1"],
          ["u2", "a2"],
        ] as const) {
          if (kept.includes(request)) expect(kept[kept.indexOf(request) + 1]).toBe(answer);
        }
        expect(checkRequest([user("s", "summary"), ...retainedTail], { startsWithUser: true })).toEqual([]);
      }
    }
  });
});

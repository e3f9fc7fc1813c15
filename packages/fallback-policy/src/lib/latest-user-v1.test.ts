import { stripRecoveryNotice } from "@holdfast/checkpoint-normalizer";
import { describe, expect, it } from "vitest";
import { fallbackInput } from "../fixtures/fallback-input.ts";
import { assistant, exchange, user, words } from "../fixtures/messages.ts";
import { deriveBudgets } from "./budgets.ts";
import { latestUserV1 } from "./latest-user-v1.ts";

describe("latest-user@1", () => {
  it("keeps the one request an active turn needs to go on, and nothing else", () => {
    const transcript = [
      user("u1", "Fix the parser."),
      assistant("a1", "Fixed."),
      user("u2", "Now the printer."),
      ...exchange("a2", { id: "c", result: "text" }),
    ];

    expect(latestUserV1.build(fallbackInput(transcript, { carriedSummary: "## Goal\nShip it." }))).toEqual({
      ok: true,
      summary: [
        "## Goal",
        "Ship it.",
        "",
        "<recovery_notice>",
        "Older messages of this conversation are not in your context: they were left out to make room.",
        "The summary above was written earlier and may not tell of everything that was left out.",
        "The message that follows is the user's current request; what was done about it so far is missing.",
        "What you cannot see here you do not know: check the files as they are now or ask, and do not guess.",
        "</recovery_notice>",
      ].join("\n"),
      retainedTail: [user("u2", "Now the printer.")],
      details: {
        generation: 1,
        strategy: "summary",
        readFiles: [],
        modifiedFiles: [],
        retainedTailMode: "active_turn",
        fallback: "retained_tail",
        failureReason: "summary_provider",
        policy: "latest-user@1",
        uncovered: [{ from: "u1", through: "a2:c" }],
      },
      report: { windowBudget: 0, anchorId: "u2", shortenedIds: [], omitted: [] },
    });
  });

  it("keeps nothing of a completed turn, so that no old request looks open", () => {
    const result = latestUserV1.build(
      fallbackInput([user("u1", "Fix it."), assistant("a1", "Fixed.")], { mode: "completed_turn" }),
    );

    expect(result).toMatchObject({ ok: true, retainedTail: [] });
    expect(result.ok && stripRecoveryNotice(result.summary)).toBe("");
  });

  it("shortens a long request to its cap, with a marker", () => {
    const result = latestUserV1.build(
      fallbackInput([user("u1", words(90_000, "request"))], {
        budgets: deriveBudgets({ contextWindow: 200_000, maxOutputTokens: 16_000 }),
      }),
    );
    if (!result.ok) throw new Error("no fallback");
    const text = String(result.retainedTail[0]?.content);

    expect(text.length / 4).toBeLessThan(20_000);
    expect(text.length / 4).toBeGreaterThan(19_000);
    expect(text.startsWith("request request")).toBe(true);
    expect(result.report.shortenedIds).toEqual(["u1"]);
  });
});

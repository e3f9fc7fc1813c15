import { RECOVERY_NOTICE_END, RECOVERY_NOTICE_START } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { builtFallback } from "../fixtures/fallback-input.ts";
import { assistant, user, words } from "../fixtures/messages.ts";
import type { FallbackInput } from "./policy.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";

const build = (transcript: readonly Message[], changes: Partial<FallbackInput> = {}) =>
  builtFallback(recentWindowV2, transcript, changes);

describe("the summary that recent-window@2 carries", () => {
  it("puts the carried summary before the notice, without the notice of the checkpoint before", () => {
    const carriedSummary = `## Goal\nShip it.\n\n${RECOVERY_NOTICE_START}\nold notice\n${RECOVERY_NOTICE_END}`;
    const { summary } = build([user("u1", "Go on.")], { carriedSummary });

    expect(summary.startsWith(`## Goal\nShip it.\n\n${RECOVERY_NOTICE_START}\n`)).toBe(true);
    expect(summary).toContain(
      "The summary above was written earlier and may not tell of everything that was left out.",
    );
    expect(summary).not.toContain("old notice");
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

  it("goes on listing an older gap that this attempt left for later", () => {
    const transcript = [user("u1", "One."), assistant("a1", "1."), user("u2", "Two."), assistant("a2", "2.")];
    const { details } = build(transcript, {
      summaryRange: transcript.slice(2),
      previousDetails: { generation: 1, uncovered: [{ from: "u1", through: "u1" }] },
      partial: { summary: "## Goal\nTwo things.", coveredThrough: "u2" },
    });

    expect(details.uncovered).toEqual([
      { from: "u1", through: "u1" },
      { from: "a2", through: "a2" },
    ]);
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
});

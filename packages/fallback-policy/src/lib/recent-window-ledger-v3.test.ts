import { stripRecoveryNotice } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { builtFallback, fallbackInput } from "../fixtures/fallback-input.ts";
import { assistant, exchange, user, words } from "../fixtures/messages.ts";
import { replayScenario, type Scenario } from "../fixtures/replay-scenario.ts";
import { deriveBudgets } from "./budgets.ts";
import { readLedger } from "./ledger-1/read-ledger.ts";
import type { BuiltFallback, FallbackInput } from "./policy.ts";
import { recentWindowLedgerV3 } from "./recent-window-ledger-v3.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";

const build = (transcript: readonly Message[], changes: Partial<FallbackInput> = {}) =>
  builtFallback(recentWindowLedgerV3, transcript, changes);

/** One turn of about 3,100 tokens. */
function turn(n: number): Message[] {
  return [
    user(`u${n}`, `Request ${n}.`),
    ...exchange(`a${n}`, { id: "c", arguments: { command: "make test" }, result: `Exit code 1\n${words(3000)}` }),
    assistant(`b${n}`, `Answer ${n}.`),
  ];
}
const turns = (count: number) => Array.from({ length: count }, (_, n) => turn(n + 1)).flat();
const ledgerOf = ({ details }: BuiltFallback) => readLedger(details.ledger);

describe("recent-window-ledger@3", () => {
  it("lists inside the notice what neither a summary nor the window holds", () => {
    const { summary, retainedTail, details } = build(turns(5), { mode: "completed_turn" });

    expect(retainedTail[0]?.id).toBe("b3");
    expect(summary).toContain(
      "Made without a model from 11 of the messages that are left out (3 of the user, 5 of the assistant, 3 tool results).",
    );
    expect(summary).toContain('- "Request 2." → answered: "Answer 2."');
    expect(summary).toContain("- `make test`: run 3 times, failed 3 times, last exit 1");
    expect(stripRecoveryNotice(summary)).toBe("");
    expect(details.policy).toBe("recent-window-ledger@3");
  });

  it("has no ledger when the window holds everything", () => {
    const { summary, details } = build(turns(1));

    expect(summary).not.toContain("Made without a model");
    expect(details).not.toHaveProperty("ledger");
  });

  it("counts nothing that a summary covers", () => {
    const transcript = turns(5);
    const { details } = build(transcript, { mode: "completed_turn", summaryRange: transcript.slice(8) });

    expect(ledgerOf({ details } as BuiltFallback)?.messages).toEqual({
      user: 1,
      injected: 0,
      assistant: 1,
      tool: 1,
      system: 0,
    });
  });

  it("pays the ledger out of the window's budget: at most an eighth of it", () => {
    const transcript = [
      ...Array.from({ length: 400 }, (_, n) =>
        exchange(`a${n}`, { id: "c", arguments: { command: `make part-${n}` }, result: "ok" }),
      ).flat(),
      ...turns(3),
    ];
    const { summary, report } = build(transcript, { mode: "completed_turn" });
    const ledger = summary.slice(summary.indexOf("Made without"), summary.indexOf("</recovery_notice>"));

    expect(report.windowBudget).toBe(8000);
    expect(ledger.length / 4).toBeLessThanOrEqual(1000);
    expect(ledger.length / 4).toBeGreaterThan(900);
    expect(ledger).toMatch(/\n- and 3\d\d more\n/);
  });

  it("merges the ledger over three generations into one, and counts every message once", () => {
    const scenario: Scenario = {
      model: { contextWindow: 32_000, maxOutputTokens: 4000 },
      overheadTokens: 0,
      transcript: turns(9),
      steps: ["b3", "b6", "b9"].map((through) => ({
        through,
        mode: "completed_turn",
        failureReason: "summary_provider",
      })),
    };
    const results = replayScenario(scenario, recentWindowLedgerV3).map(({ result }) => result as BuiltFallback);

    expect(results.map((result) => ledgerOf(result)?.messages)).toEqual([
      { user: 1, injected: 0, assistant: 1, tool: 1, system: 0 },
      { user: 4, injected: 0, assistant: 7, tool: 4, system: 0 },
      { user: 7, injected: 0, assistant: 13, tool: 7, system: 0 },
    ]);
    for (const { summary } of results) expect(summary.split("Made without a model")).toHaveLength(2);
    const last = results[2];
    if (last === undefined) throw new Error("no third generation");
    // Merged step by step it is what one reading of the whole transcript gives.
    const atOnce = build(scenario.transcript, { mode: "completed_turn" });
    expect(last.details.ledger).toEqual(atOnce.details.ledger);
  });

  it("takes the messages of an earlier ledger that the transcript no longer has from that ledger", () => {
    const first = build(turns(5), { mode: "completed_turn" });
    const newer = [user("u9", words(6000)), assistant("b9", words(7000))];
    const second = build(newer, { mode: "completed_turn", previousDetails: first.details });

    expect(ledgerOf(second)?.messages).toEqual({ user: 4, injected: 0, assistant: 5, tool: 3, system: 0 });
  });

  it("counts anew what is left when a partial summary read some of it", () => {
    const transcript = turns(8);
    const first = build(transcript.slice(0, 20), { mode: "completed_turn" });
    const second = build(transcript, {
      mode: "completed_turn",
      windowRange: [...first.retainedTail, ...transcript.slice(20)],
      previousDetails: first.details,
      partial: { summary: "## Goal\nAll of it.", coveredThrough: "b4" },
    });

    expect(ledgerOf(second)?.requests.entries.map(({ text }) => text)).toEqual(["Request 5.", "Request 6."]);
  });

  it("counts anew what is left when a partial summary read only the beginning of what was counted", () => {
    const transcript = turns(8);
    const first = build(transcript.slice(0, 20), { mode: "completed_turn" });
    const second = build(transcript, {
      mode: "completed_turn",
      windowRange: [...first.retainedTail, ...transcript.slice(20)],
      previousDetails: first.details,
      partial: { summary: "## Goal\nOne of them.", coveredThrough: "b1" },
    });

    expect(ledgerOf(first)?.requests.entries[0]?.text).toBe("Request 1.");
    expect(ledgerOf(second)?.requests.entries.map(({ text }) => text)).toEqual(
      [2, 3, 4, 5, 6].map((n) => `Request ${n}.`),
    );
  });

  it("starts from the earlier ledger when a partial summary says nothing", () => {
    const first = build(turns(5), { mode: "completed_turn" });
    const newer = [user("u9", words(6000)), assistant("b9", words(7000))];
    const partial = { summary: "<recovery_notice>\nold\n</recovery_notice>", coveredThrough: "u9" };
    const second = build(newer, { mode: "completed_turn", previousDetails: first.details, partial });

    expect(ledgerOf(second)?.requests.entries[0]?.text).toBe("Request 1.");
  });

  it("does not call the request left out that it keeps ahead of the window, and lists it once it no longer does", () => {
    const transcript = [
      user("u1", "Port the reader."),
      ...Array.from({ length: 40 }, (_, n) => exchange(`a${n}`, { id: "c", result: words(600) })).flat(),
    ];
    const active = build(transcript);
    const outside = transcript.findIndex(({ id }) => id === active.retainedTail[1]?.id) - 1;

    expect(active.report.anchorId).toBe("u1");
    expect(active.summary).toContain(
      `Made without a model from ${outside} of the messages that are left out (0 of the`,
    );
    expect(active.summary).not.toContain("Port the reader.");

    const newer = [assistant("a40", "Ported."), user("u2", "Now the docs."), assistant("b1", words(6000))];
    const completed = build([...transcript, ...newer], {
      mode: "completed_turn",
      windowRange: [...active.retainedTail, ...newer],
      previousDetails: active.details,
    });
    expect(completed.summary).toContain('- "Port the reader." →');
  });

  it("pays for no ledger when the request is all that is outside the window", () => {
    const transcript = [
      user("u1", words(8000, "request")),
      ...exchange("a1", { id: "c", result: words(2500) }),
      ...exchange("a2", { id: "c", result: words(2500) }),
    ];
    const { summary, retainedTail, report } = build(transcript);
    const withoutLedger = recentWindowV2.build(fallbackInput(transcript));

    expect(report.shortenedIds).toEqual(["u1"]);
    expect(retainedTail[0]?.id).toBe("u1");
    expect(retainedTail.slice(1)).toEqual(transcript.slice(1));
    expect(retainedTail).toEqual(withoutLedger.ok && withoutLedger.retainedTail);
    expect(summary).not.toContain("Made without a model");
  });

  it("does not lose a file whose call an earlier ledger counted and whose result came later", () => {
    const [call, result] = exchange("a1", { id: "late", name: "edit", arguments: { path: "late.ts" }, result: "ok" });
    if (call === undefined || result === undefined) throw new Error("no exchange");
    const before = [user("u1", words(6000)), call, user("u2", "The docs too."), assistant("a2", words(6500))];
    const newer = [result, assistant("a3", words(7500)), user("u3", "Go on."), assistant("a4", words(7500))];
    const first = build(before);
    const second = build([...before, ...newer], {
      mode: "completed_turn",
      windowRange: [...first.retainedTail, ...newer],
      previousDetails: first.details,
    });

    expect(ledgerOf(first)?.files.entries).toEqual([]);
    expect(ledgerOf(second)?.files.entries).toEqual([{ path: "late.ts", reads: 0, modifications: 1, last: "modify" }]);
  });

  it("claims nothing of the summary above it that was too large to be installed", () => {
    const { summary } = build(turns(5), {
      mode: "completed_turn",
      failureReason: "checkpoint_oversized",
      carriedSummary: "## Goal\nAll five.",
    });

    expect(summary).toContain("Made without a model");
    expect(summary).not.toContain("no summary");
  });

  it("takes no more than 2,000 tokens, however large the model", () => {
    const transcript = Array.from({ length: 300 }, (_, n) => [
      user(`u${n}`, `Request ${n}: ${words(60)}`),
      assistant(`a${n}`, words(400)),
    ]).flat();
    const budgets = deriveBudgets({ contextWindow: 1_000_000, maxOutputTokens: 32_000 });
    const { summary, report } = build(transcript, { mode: "completed_turn", budgets });
    const ledger = summary.slice(summary.indexOf("Made without"), summary.indexOf("</recovery_notice>"));

    expect(report.windowBudget).toBe(64_000);
    expect(ledger.length / 4).toBeLessThanOrEqual(2000);
    expect(ledger.length / 4).toBeGreaterThan(1900);
  });

  const unknownOutcome = {
    version: 1,
    through: "b1",
    messages: { user: 1, injected: 0, assistant: 1, tool: 1, system: 0 },
    requests: { entries: [{ text: "x", outcome: "lost", answer: "" }], dropped: 0 },
    files: { entries: [], dropped: 0 },
    commands: { entries: [], dropped: 0 },
    errors: { entries: [], dropped: 0 },
    plan: [],
  };
  it.each([[null], ["text"], [{ version: 2 }], [{ version: 1, through: "b1", messages: {} }], [unknownOutcome]])(
    "makes a ledger anew when the stored one is %j",
    (ledger) => {
      const { details } = build(turns(5), { mode: "completed_turn", previousDetails: { generation: 1, ledger } });

      expect(details.ledger).toEqual(build(turns(5), { mode: "completed_turn" }).details.ledger);
    },
  );
});

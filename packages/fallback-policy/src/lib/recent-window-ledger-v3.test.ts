import { stripRecoveryNotice } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { fallbackInput } from "../fixtures/fallback-input.ts";
import { assistant, exchange, user, words } from "../fixtures/messages.ts";
import { replayScenario, type Scenario } from "../fixtures/replay-scenario.ts";
import { readLedger } from "./ledger-1/read-ledger.ts";
import type { BuiltFallback, FallbackInput } from "./policy.ts";
import { recentWindowLedgerV3 } from "./recent-window-ledger-v3.ts";

function build(transcript: readonly Message[], changes: Partial<FallbackInput> = {}): BuiltFallback {
  const result = recentWindowLedgerV3.build(fallbackInput(transcript, changes));
  if (!result.ok) throw new Error(`no fallback: the ${result.tooLarge} is too large`);
  return result;
}

/** One turn of about 3,100 tokens. */
function turn(n: number): Message[] {
  return [
    user(`u${n}`, `Request ${n}.`),
    ...exchange(`a${n}`, { id: "c", arguments: { command: "make test" }, result: `${words(3000)}\nexit code 1` }),
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
      "Made without a model from the 11 messages that are left out and in no summary (3 of the user, 5 of the assistant, 3 tool results).",
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

    expect(ledgerOf({ details } as BuiltFallback)?.messages).toEqual({ user: 1, assistant: 1, tool: 1, system: 0 });
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
      { user: 1, assistant: 1, tool: 1, system: 0 },
      { user: 4, assistant: 7, tool: 4, system: 0 },
      { user: 7, assistant: 13, tool: 7, system: 0 },
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

    expect(ledgerOf(second)?.messages).toEqual({ user: 4, assistant: 5, tool: 3, system: 0 });
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

  const unknownOutcome = {
    version: 1,
    through: "b1",
    messages: { user: 1, assistant: 1, tool: 1, system: 0 },
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

import {
  RECOVERY_NOTICE_END,
  RECOVERY_NOTICE_START,
  rebuildContext,
  stripRecoveryNotice,
} from "@holdfast/checkpoint-normalizer";
import { type Message, shape } from "@holdfast/message-schema";
import { findPairingProblems } from "@holdfast/tail-window";
import { checkRequest, transcriptArbitrary } from "@holdfast/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { characterCount } from "../fixtures/character-count.ts";
import { fallbackInput } from "../fixtures/fallback-input.ts";
import { type ReplayedStep, replayScenario, type Scenario } from "../fixtures/replay-scenario.ts";
import { failureReasons } from "./failure-reason.ts";
import { FALLBACK_POLICIES } from "./fallback-policies.ts";
import { latestRequest } from "./latest-request.ts";
import { readLedger } from "./ledger-1/read-ledger.ts";
import type { BuiltFallback, FallbackInput, FallbackPolicy } from "./policy.ts";
import { recentWindowLedgerV3 } from "./recent-window-ledger-v3.ts";
import { room } from "./room.ts";
import { summaryTokens } from "./summary-tokens.ts";

/** The same short run every day; a longer one, which HOLDFAST_RUNS asks for, looks elsewhere each time. */
const size =
  process.env.HOLDFAST_RUNS === undefined
    ? { numRuns: 150, seed: 20_261_130 }
    : { numRuns: 150 * Number(process.env.HOLDFAST_RUNS) };

const summaries = fc.constantFrom(
  undefined,
  "## Goal\nShip it.\n\n## Progress\nA little.\n\n## Next steps\nMore.",
  `## Goal\nShip it.\n\n## Progress\n${"- one more thing was done\n".repeat(600)}\n## Next steps\nMore.`,
  `Free text ${"of an older tool ".repeat(900)}`,
);

/** Up to three failing compactions of one conversation. */
const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    transcript: transcriptArbitrary(fc, { maxSteps: 30 }).filter((messages) => messages.length > 0),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }),
    modes: fc.array(fc.constantFrom("active_turn" as const, "completed_turn" as const), { minLength: 3, maxLength: 3 }),
    reason: fc.constantFrom(...failureReasons),
    contextWindow: fc.integer({ min: 3000, max: 40_000 }),
    overheadShare: fc.double({ min: 0, max: 0.9, noNaN: true }),
    carriedSummary: summaries,
    partialAt: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  })
  .map(({ transcript, cuts, modes, reason, contextWindow, overheadShare, carriedSummary, partialAt }) => {
    const at = (share: number) => Math.min(transcript.length - 1, Math.floor(share * transcript.length));
    const boundaries = [...new Set(cuts.map(at))].toSorted((a, b) => a - b);
    const steps = boundaries.map((boundary, index) => ({
      through: idAt(transcript, boundary),
      mode: modes[index] ?? "active_turn",
      failureReason: reason,
      ...(index === 1 &&
        partialAt !== undefined && {
          partial: { summary: "## Goal\nPart.", coveredThrough: idAt(transcript, Math.floor(boundary * partialAt)) },
        }),
    }));
    return {
      model: { contextWindow, maxOutputTokens: Math.floor(contextWindow / 8) },
      overheadTokens: Math.floor(contextWindow * overheadShare),
      transcript,
      carriedSummary,
      steps,
    };
  });

function idAt(messages: readonly { readonly id: string }[], index: number): string {
  const message = messages[index];
  if (message === undefined) throw new RangeError(`no message ${index}`);
  return message.id;
}

const policies = Object.values(FALLBACK_POLICIES);
const windowPolicies = policies.filter(({ id }) => id !== "latest-user@1");

function holds(
  checked: readonly FallbackPolicy[],
  property: (built: BuiltFallback, step: ReplayedStep, replayed: readonly ReplayedStep[]) => void,
): void {
  fc.assert(
    fc.property(fc.constantFrom(...checked), scenarios, (policy, scenario) => {
      const replayed = replayScenario(scenario, policy);
      for (const step of replayed) if (step.result.ok) property(step.result, step, replayed);
    }),
    size,
  );
}

describe("every policy", () => {
  it("builds a fallback for most of these conversations, so the properties below say something", () => {
    const built = fc
      .sample(scenarios, { numRuns: 200, seed: 7 })
      .flatMap((scenario) => policies.flatMap((policy) => replayScenario(scenario, policy)))
      .map(({ result }) => result.ok);

    expect(built.length).toBeGreaterThan(600);
    expect(built.filter((ok) => ok).length).toBeGreaterThan(built.length * 0.7);
  });

  it.each(policies)("$id builds a summary and no tail where there are no messages at all", (policy) => {
    for (const mode of ["active_turn", "completed_turn"] as const) {
      const result = policy.build(fallbackInput([], { mode, carriedSummary: "## Goal\nShip it." }));

      expect(result).toMatchObject({ ok: true, retainedTail: [], details: { uncovered: [], readFiles: [] } });
      expect(result.ok && stripRecoveryNotice(result.summary)).toBe("## Goal\nShip it.");
      expect(result.ok && result.summary).not.toContain("messages that follow");
    }
  });

  it("builds the same bytes from the same input", () => {
    fc.assert(
      fc.property(fc.constantFrom(...policies), scenarios, (policy, scenario) => {
        const [first, second] = [scenario, structuredClone(scenario)].map((given) =>
          JSON.stringify(replayScenario(given, policy).map(({ result }) => result)),
        );
        expect(second).toBe(first);
      }),
      size,
    );
  });

  it("builds a checkpoint that fits its room, counted as it will be sent", () => {
    holds(policies, (built, { input }) => {
      // No notice without its ledger is as long, and a longer notice never makes the room smaller.
      const roomTokens = room(input.budgets, { fixedTokens: input.overheadTokens, noticeTokens: 300 });
      const sent = summaryTokens(built.summary, characterCount) + tailTokens(built.retainedTail);
      expect(sent).toBeLessThanOrEqual(roomTokens ?? input.budgets.hardLimit);
      expect(input.overheadTokens + sent).toBeLessThan(input.budgets.hardLimit);
    });
  });

  it("keeps a tail that a strict provider accepts behind the summary", () => {
    holds(policies, (built, { input }) => {
      expect(findPairingProblems(built.retainedTail, shape)).toEqual([]);
      const sent = rebuildContext({
        transcript: input.windowRange,
        checkpoint: {
          id: "k",
          summary: built.summary,
          throughMessageId: idAt(input.windowRange, input.windowRange.length - 1),
          tokensBefore: 0,
          retainedTail: built.retainedTail,
          details: built.details,
          createdAt: "2026-01-01T00:00:00Z",
        },
      });
      expect(checkRequest(sent, { startsWithUser: true })).toEqual([]);
      // Late results are moved behind their calls; nothing else is repaired, so what was counted is what is sent.
      expect(sent.slice(1).toSorted(byId)).toEqual(built.retainedTail.toSorted(byId));
    });
  });

  it("never nests a notice and never loses the carried summary", () => {
    holds(policies, (built, { input }) => {
      expect(built.summary.split(RECOVERY_NOTICE_START)).toHaveLength(2);
      expect(built.summary.trimEnd().endsWith(RECOVERY_NOTICE_END)).toBe(true);
      const carried = built.details.carriedSummary ?? stripRecoveryNotice(built.summary);
      expect(carried).toBe((input.partial?.summary ?? input.carriedSummary ?? "").trim());
    });
  });

  it("counts its generation and lists what no summary has read", () => {
    holds(policies, (built, { input }, replayed) => {
      const before = replayed.filter(({ result }) => result.ok).findIndex(({ result }) => result === built);
      expect(built.details.generation).toBe(before + 1);
      const listed = (built.details.uncovered ?? []).flatMap(({ from, through }) => {
        const ids = input.transcript.map(({ id }) => id);
        return ids.slice(ids.indexOf(from), ids.indexOf(through) + 1);
      });
      const read = input.summaryRange.findIndex(({ id }) => id === input.partial?.coveredThrough) + 1;
      expect(listed).toEqual(input.summaryRange.slice(read).map(({ id }) => id));
    });
  });

  it("keeps the request of an active turn, from the transcript or shortened from it", () => {
    holds(policies, (built, { input }) => {
      const request = input.mode === "active_turn" ? latestRequest(input) : undefined;
      if (request === undefined) return;
      expect(built.retainedTail.filter(({ id }) => id === request.id)).toHaveLength(1);
    });
  });
});

describe("the policies with a recent window", () => {
  it("keep no request without its answer, but the one being worked on, one nobody answered, or one they call stopped", () => {
    holds(windowPolicies, (built, { input }) => {
      const { anchorId, omitted } = built.report;
      const unsendable = new Set(omitted.map(({ id }) => id));
      const requests = built.retainedTail.filter((message) => shape.isRequest(message) && message.id !== anchorId);
      for (const request of requests) {
        const answers = answersTo(request, input.windowRange).filter(({ id }) => !unsendable.has(id));
        const kept = answersTo(request, built.retainedTail);
        expect(kept.map(({ id }) => id)).toEqual(answers.map(({ id }) => id));
      }
      const last = built.retainedTail.findLast(({ role }) => role !== "system");
      const isStopped = input.mode === "completed_turn" && last !== undefined && last.role !== "assistant";
      expect(built.summary.includes("was stopped before it was finished")).toBe(isStopped);
    });
  });

  it("merge the ledger over generations into what one reading of the transcript gives", () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const whole = { ...scenario, steps: scenario.steps.map(({ partial: _partial, ...step }) => step) };
        for (const { input, result } of replayScenario(whole, recentWindowLedgerV3)) {
          if (!result.ok || input.previousDetails === undefined) continue;
          const { ledger: _ledger, ...withoutLedger } = input.previousDetails;
          const atOnce = recentWindowLedgerV3.build({ ...input, previousDetails: withoutLedger });
          expect(readLedger(result.details.ledger)).toEqual(atOnce.ok && readLedger(atOnce.details.ledger));
        }
      }),
      size,
    );
  });

  it("keep the newest contiguous messages of the range, apart from those they name", () => {
    holds(windowPolicies, (built, { input }) => {
      const { anchorId, omitted } = built.report;
      const windowIds = built.retainedTail.map(({ id }) => id).filter((id) => id !== anchorId);
      const left = new Set(omitted.map(({ id }) => id));
      const candidates = input.windowRange.map(({ id }) => id).filter((id) => !left.has(id));
      expect(windowIds).toEqual(windowIds.length === 0 ? [] : candidates.slice(-windowIds.length));
    });
  });

  it("use at least half of the window's budget when the range has more to give", () => {
    holds(windowPolicies, (built, { input }) => {
      const { windowBudget, omitted } = built.report;
      const budgetOfMessages = windowBudget - Math.min(2000, Math.floor(windowBudget / 8));
      const first = built.retainedTail.find(({ id }) => id !== built.report.anchorId);
      const start = input.windowRange.findIndex(({ id }) => id === first?.id);
      const older = input.windowRange.slice(0, Math.max(0, start));
      const isAvailable = (message: Message) =>
        (message.role === "user" || (message.role === "assistant" && message.stopReason === "stop")) &&
        !shape.isEmpty(message) &&
        message.id !== built.report.anchorId;
      const shortened = input.transcript.filter(({ id }) => built.report.shortenedIds.includes(id));
      // A picture is kept or left out whole, so its place cannot be used in part.
      if (shortened.some(hasPicture) || omitted.some(({ reason }) => reason === "budget")) return;
      if (!older.some(isAvailable)) return;
      expect(tailTokens(built.retainedTail)).toBeGreaterThanOrEqual(Math.floor(budgetOfMessages / 2));
    });
  });
});

function answersTo(request: Message, messages: readonly Message[]): Message[] {
  const behind = messages.slice(messages.findIndex(({ id }) => id === request.id) + 1);
  const next = behind.findIndex((message) => shape.isRequest(message) && !shape.isEmpty(message));
  return behind.slice(0, next < 0 ? behind.length : next).filter(({ role }) => role === "assistant");
}

function byId(a: Message, b: Message): number {
  return a.id < b.id ? -1 : 1;
}

function hasPicture({ content }: Message): boolean {
  return typeof content !== "string" && content.some((part) => part.type === "image");
}

function tailTokens(messages: FallbackInput["windowRange"]): number {
  return messages.reduce((sum, message) => sum + characterCount.message(message), 0);
}

import { rebuildContext } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { checkRequest } from "@holdfast/test-kit";
import { describe, expect, it } from "vitest";
import { characterCount } from "../fixtures/character-count.ts";
import { readRange } from "../fixtures/goldens.ts";
import { replayScenario } from "../fixtures/replay-scenario.ts";
import { FALLBACK_POLICIES } from "./fallback-policies.ts";

describe.each(["pi-mono-refactoring", "pi-mono-themes"])("a recorded conversation (%s)", (name) => {
  const scenario = readRange(name);

  it.each(Object.values(FALLBACK_POLICIES))("is continued by $id wherever the compaction fails", (policy) => {
    for (const [index, { id: through }] of scenario.transcript.entries()) {
      for (const mode of ["active_turn", "completed_turn"] as const) {
        const steps = [{ through, mode, failureReason: "summary_provider" as const }];
        const [step] = replayScenario({ ...scenario, steps }, policy);
        if (!step?.result.ok) throw new Error(`no fallback at message ${index}`);
        const { input, result } = step;
        const sent = rebuildContext({
          transcript: scenario.transcript.slice(0, index + 1),
          checkpoint: {
            id: "checkpoint",
            summary: result.summary,
            throughMessageId: through,
            tokensBefore: 0,
            retainedTail: result.retainedTail,
            details: result.details,
            createdAt: "2026-01-01T00:00:00.000Z",
          },
        });
        const limits = {
          startsWithUser: true,
          limitTokens: input.budgets.trigger - scenario.overheadTokens,
          countTokens: (messages: readonly Message[]) =>
            messages.reduce((sum, message) => sum + characterCount.message(message), 0),
        };
        expect(checkRequest(sent, limits), `boundary at message ${index}, ${mode}`).toEqual([]);
      }
    }
  });
});

import { summaryMessage } from "@holdfast/checkpoint-normalizer";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { createVirtualClock } from "@holdfast/chunked-summarizer";
import { FALLBACK_POLICIES } from "@holdfast/fallback-policy";
import { deriveBudgets } from "@holdfast/fallback-policy/budgets";
import { type Message, shape } from "@holdfast/message-schema";
import { createEstimator } from "@holdfast/token-counter/estimate";
import { expect, test } from "vitest";
import { createCompactor } from "./compactor.ts";
import { transcriptOf } from "./message-notation.ts";
import { NOTICE_TOKENS } from "./plan-compaction.ts";

const counter = createEstimator();
const long = (notation: string) => transcriptOf(notation, { text: () => "word ".repeat(2000) });

test.each(Object.values(FALLBACK_POLICIES).filter(({ id }) => !id.includes("ledger")))(
  "the notice of $id fits what is planned for it",
  (policy) => {
    for (const notation of ["u1 a1[c] r(c) a2[d] r(d)", "u1 a1[c] r(c) a2:aborted"]) {
      const transcript = long(notation);
      const built = policy.build({
        transcript,
        windowRange: transcript,
        summaryRange: transcript,
        mode: notation.includes("aborted") ? "completed_turn" : "active_turn",
        carriedSummary: "x",
        failureReason: "summary_provider",
        budgets: deriveBudgets({ contextWindow: 32_000, maxOutputTokens: 2000 }),
        overheadTokens: 0,
        countTokens: { text: counter.countText, message: (message: Message) => counter.countMessage(message) },
        shape,
      });
      if (!built.ok) throw new Error(`no fallback: ${built.tooLarge} is too large`);
      const head = summaryMessage({ id: "s", summary: built.summary, details: built.details });
      expect(counter.countMessage(head)).toBeLessThanOrEqual(NOTICE_TOKENS);
    }
  },
);

test("where a failure would leave no room for a fallback no model is asked", async () => {
  let asked = 0;
  const compactor = createCompactor({
    model: { contextWindow: 8000, maxOutputTokens: 2000 },
    summaryModel: {
      contextWindow: 8000,
      maxOutputTokens: 2000,
      complete: () => {
        asked += 1;
        return Promise.reject(new Error("no model"));
      },
    },
    counter,
    store: createMemoryStore(),
    conversationId: "c",
    clock: createVirtualClock(),
  });
  const messages = long("u1 a1 u2 a2[c] r(c)");
  const request = await compactor.prepareRequest({ messages, overheadTokens: 6000 - 512 - NOTICE_TOKENS });
  expect(request).toMatchObject({ kind: "refused", reason: "prompt_too_large" });
  expect(asked).toBe(0);
});

test("a fresh window has no notice to pay: it is begun with as little as 512 tokens left", async () => {
  for (const [freeTokens, kind] of [
    [512, "send"],
    [511, "refused"],
  ] as const) {
    const compactor = createCompactor({
      model: { contextWindow: 8000, maxOutputTokens: 2000 },
      summaryModel: {
        contextWindow: 8000,
        maxOutputTokens: 2000,
        complete: () => Promise.reject(new Error("a fresh window asks nobody")),
      },
      counter,
      store: createMemoryStore(),
      conversationId: "c",
      strategy: "fresh_window",
    });
    const messages = long("u1 a1 u2 a2[c] r(c)");
    const overheadTokens = 6000 - 1 - freeTokens;
    expect((await compactor.prepareRequest({ messages, overheadTokens })).kind).toBe(kind);
  }
});

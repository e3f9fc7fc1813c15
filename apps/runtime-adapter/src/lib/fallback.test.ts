import { RECOVERY_NOTICE_START } from "@holdfast/checkpoint-normalizer";
import { definePolicy } from "@holdfast/fallback-policy";
import { expect, test } from "vitest";
import { conversation, counter, failing, good, idsOf, sent, setup, words } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

// A hard limit of 4,000 tokens, so that the recent window has 2,000.
const model = { contextWindow: 5333, maxOutputTokens: 1000 };

test("FB-02 when the summary fails the old summary and the real newest messages stay, and the outcome says what went", async () => {
  let healthy = true;
  const { compactor, store } = setup((request, signal) => (healthy ? good : failing(request, signal)), { model });
  const [system] = transcriptOf("s1");
  if (system === undefined) throw new Error("a system message was written");
  const early = [system, ...conversation(2, "u50", 400)];
  compactor.requestNewContext();
  const first = sent(await compactor.prepareRequest({ messages: early }));
  expect(first.compaction).toMatchObject({ outcome: "summary", generation: 1 });

  healthy = false;
  // Thirty more messages, two exchanges among the last ten.
  const turns = Array.from({ length: 10 }, (_, turn) => `u${100 + turn} a${100 + turn}`).join(" ");
  const later = transcriptOf(`a50 ${turns} u110 a110[k1] r(k1) a111 u111 a112[k2] r(k2) a113 u112`, {
    text: (id) => `${id} ${"word ".repeat(92)}`,
  });
  const messages = [...early, ...later];
  const request = sent(await compactor.prepareRequest({ messages }));
  const { compaction } = request;
  expect(compaction).toMatchObject({ outcome: "fallback", failureReason: "summary_provider", generation: 2 });
  expect(request.messages[0]).toBe(system);
  const summary = JSON.stringify(request.messages[1]);
  expect(summary).toContain("- Done.");
  expect(summary).toContain(RECOVERY_NOTICE_START);

  const window = request.messages.slice(2, -1);
  expect(window).toEqual(messages.slice(-1 - window.length, -1));
  expect(new Set(window.map(({ role }) => role))).toEqual(new Set(["user", "assistant", "toolResult"]));
  const tokens = window.reduce((sum, message) => sum + counter.countMessage(message), 0);
  expect(tokens).toBeGreaterThan(500);
  expect(tokens).toBeLessThanOrEqual(Math.min(2000, compaction?.windowBudget ?? 0));
  expect(idsOf(request.messages).at(-1)).toBe("u112");

  // What was left out is counted by role, and nothing of it is in the request.
  const { range, retained, leftOut } = compaction ?? {};
  if (range === undefined || retained === undefined || leftOut === undefined) throw new Error("nothing was compacted");
  for (const role of ["user", "assistant", "tool"] as const) expect(retained[role] + leftOut[role]).toBe(range[role]);
  expect(leftOut.assistant).toBeGreaterThan(0);
  expect(await store.list("c")).toHaveLength(2);
});

test("a summary too large for its place, though smaller than what it replaces, is carried shortened and its range stays unread", async () => {
  const long = { ...good, text: `${good.text}\n${words(20_000)}` };
  const { compactor } = setup(() => long);
  const request = sent(await compactor.prepareRequest({ messages: conversation(24) }));
  expect(request.compaction).toMatchObject({
    outcome: "fallback",
    failureReason: "checkpoint_oversized",
    uncovered: [{ from: "u0", through: "a23x" }],
  });
  expect(request.compaction?.checkpoint?.details.carriedSummary).toBe(long.text.trim());
});

test("a policy of the host's own that keeps too much is not installed, and no request goes out over the limit", async () => {
  const policy = definePolicy({
    id: "most@1",
    // Less than there was, 30,000 tokens, and more than the 24,000 of the limit.
    build: ({ windowRange }) => ({
      ok: true,
      summary: "What is kept.",
      retainedTail: windowRange.slice(8),
      details: { generation: 1, retainedTailShape: "recent_window" },
      report: { windowBudget: 0, shortenedIds: [], omitted: [] },
    }),
  });
  const { compactor, store } = setup(failing, { policy });
  const request = await compactor.prepareRequest({ messages: conversation(30) });
  expect(request).toMatchObject({
    kind: "refused",
    reason: "prompt_too_large",
    compaction: { outcome: "failed", checkpoint: null },
  });
  expect(await store.list("c")).toEqual([]);
});

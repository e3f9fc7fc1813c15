import { expect, test } from "vitest";
import { conversation, counter, failing, good, sent, setup, words } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

test.each([
  ["succeeds", () => good],
  ["fails", failing],
] as const)("a prompt that overflowed by itself is shortened with a marker when the summary %s", async (_, ending) => {
  const { compactor, make } = setup(ending);
  const messages = transcriptOf("u1 a1:error", { text: () => words(18_000) });
  const retry = sent(await compactor.recoverFromOverflow({ messages }));
  const kept = retry.messages.at(-1);
  expect(kept?.id).toBe("u1");
  // Counted as 18,000 of 32,000, so each limit is taken times 0.56: of 12,000 for a request 6,750 are left.
  expect(retry.tokens).toBeLessThan(0.57 * compactor.budgets.hardLimit);
  if (kept === undefined) throw new Error("nothing was kept");
  expect(counter.countMessage(kept)).toBeLessThan(8000);
  expect(counter.countMessage(kept)).toBeGreaterThan(2000);
  const restarted = sent(await make().prepareRequest({ messages }));
  expect(JSON.stringify(restarted.messages)).toBe(JSON.stringify(retry.messages));
});

test("an overflow asks the model though the limiter is closed, once for the request", async () => {
  const { compactor, asked } = setup(failing);
  const messages = conversation(24);
  sent(await compactor.prepareRequest({ messages }));
  const afterFirst = asked.length;
  const overflowed = [...messages, ...transcriptOf("a999[k] r(k) a1000:error")];
  expect(sent(await compactor.recoverFromOverflow({ messages: overflowed })).compaction).toMatchObject({
    trigger: "overflow",
    outcome: "fallback",
    failureReason: "summary_provider",
  });
  const afterSecond = asked.length;
  expect(afterSecond).toBeGreaterThan(afterFirst);
  expect(await compactor.recoverFromOverflow({ messages: overflowed })).toMatchObject({ kind: "refused" });
  expect(asked).toHaveLength(afterSecond);
});

test("a recovery that was aborted may be tried again", async () => {
  const controller = new AbortController();
  let hangs = true;
  const { compactor, store } = setup((_, signal) => {
    if (!hangs) return good;
    controller.abort();
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const messages = conversation(12, "u999 a1000:error");
  const { signal } = controller;
  expect(await compactor.recoverFromOverflow({ messages, signal })).toEqual({ kind: "aborted" });
  expect(await store.list("c")).toEqual([]);
  hangs = false;
  expect(sent(await compactor.recoverFromOverflow({ messages })).compaction).toMatchObject({ outcome: "summary" });
});

test("a recovery that arrives while a compaction runs waits for it", async () => {
  const { compactor } = setup(() => good);
  const starts: string[] = [];
  compactor.on("compaction_start", ({ trigger }) => starts.push(`start ${trigger}`));
  compactor.on("compaction_end", ({ trigger }) => starts.push(`end ${trigger}`));
  const messages = conversation(24);
  const [automatic, recovered] = await Promise.all([
    compactor.prepareRequest({ messages }),
    compactor.recoverFromOverflow({ messages: [...messages, ...transcriptOf("a1000:error")] }),
  ]);
  expect([automatic.kind, recovered.kind]).toEqual(["send", "send"]);
  expect(starts).toEqual(["start automatic", "end automatic", "start overflow", "end overflow"]);
});

test("two processes that overflow at once: one compacts, and the other goes on with what it installed", async () => {
  const { make, store } = setup(() => good);
  const messages = conversation(12, "u999 a1000:error");
  const processes = [make(), make()];
  const [one, two] = (await Promise.all(processes.map((process) => process.recoverFromOverflow({ messages })))).map(
    sent,
  );
  expect([one?.compaction?.outcome, two?.compaction?.outcome].sort()).toEqual(["conflict", "summary"]);
  expect(two?.messages).toEqual(one?.messages);
  expect([one?.supersededMessageId, two?.supersededMessageId]).toEqual(["a1000", "a1000"]);
  expect(await store.list("c")).toHaveLength(1);
});

test("the boundary of an overflow never moves back: for a smaller model the same prompt is shortened once more", async () => {
  const { compactor, store } = setup(failing);
  const messages = transcriptOf("u0 a0 u1", { text: (id) => words(id === "u1" ? 16_000 : 100) });
  sent(await compactor.recoverFromOverflow({ messages: [...messages, ...transcriptOf("a1:error")] }));
  compactor.setModel({ contextWindow: 4000, maxOutputTokens: 1000 });
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.compaction).toMatchObject({ outcome: "fallback", generation: 2 });
  expect(request.messages.at(-1)?.id).toBe("u1");
  expect(await store.list("c")).toMatchObject([{ throughMessageId: "u1" }, { throughMessageId: "u1" }]);
});

test("a prompt that was shortened for one model is kept whole for a larger one", async () => {
  const { compactor } = setup(() => good);
  const prompt = transcriptOf("u1", { text: () => words(10_000) });
  const retry = sent(await compactor.recoverFromOverflow({ messages: [...prompt, ...transcriptOf("a1:error")] }));
  expect(retry.messages.at(-1)).not.toEqual(prompt[0]);
  compactor.setModel({ contextWindow: 1_000_000, maxOutputTokens: 32_000 });
  compactor.requestNewContext();
  const messages = [...prompt, ...transcriptOf("a2[c] r(c)", { text: () => words(3000) })];
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.compaction).toMatchObject({ outcome: "summary", mode: "active_turn" });
  expect(request.messages.slice(1)).toEqual(prompt);
});

import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import {
  type Complete,
  conversation,
  counter,
  createGate,
  failing,
  good,
  sent,
  setup,
  words,
} from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

const prompt = transcriptOf("u1");

function countOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
}

test("an answer may take the model's output limit, and no more than the window leaves, with a fiftieth spared", async () => {
  const { compactor } = setup(() => good, { model: { contextWindow: 32_000, maxOutputTokens: 16_000 } });
  const maxOutput = async (tokens: number) => {
    const overheadTokens = tokens - countOf(prompt);
    return sent(await compactor.prepareRequest({ messages: prompt, overheadTokens })).maxOutputTokens;
  };
  expect(await maxOutput(1000)).toBe(16_000);
  expect(await maxOutput(15_360)).toBe(16_000);
  expect(await maxOutput(15_361)).toBe(15_999);
  expect(await maxOutput(20_000)).toBe(11_360);
});

test("a request of one token less than the limit is sent, and one at the limit is refused", async () => {
  const { compactor } = setup(() => good);
  const limit = compactor.budgets.hardLimit;
  const fill = (tokens: number) =>
    compactor.prepareRequest({ messages: prompt, overheadTokens: tokens - countOf(prompt) });
  expect(await fill(limit - 1)).toMatchObject({ kind: "send", tokens: limit - 1, limit });
  expect(await fill(limit)).toMatchObject({ kind: "refused", reason: "prompt_too_large", tokens: limit, limit });
  const overhead = await compactor.prepareRequest({ messages: prompt, overheadTokens: limit });
  expect(overhead).toMatchObject({ kind: "refused", reason: "overhead_too_large" });
});

test("with a guessed window compactions start, and nothing is ever refused", async () => {
  const { compactor } = setup(() => good, { model: { maxOutputTokens: 4000 } });
  expect(compactor.budgets).toMatchObject({ contextWindow: 32_768, hardLimit: 24_576, guessed: true });
  expect(compactor.budgets.warnings).toHaveLength(1);
  const compacted = sent(await compactor.prepareRequest({ messages: conversation(24) }));
  expect(compacted.compaction?.outcome).toBe("summary");
  const huge = transcriptOf("u1", { text: () => words(200_000) });
  for (const input of [{ messages: huge }, { messages: prompt, overheadTokens: 90_000 }]) {
    const request = sent(await compactor.prepareRequest(input));
    expect(request).toMatchObject({ limit: Number.POSITIVE_INFINITY, maxOutputTokens: 4000 });
    expect(request.messages).toEqual(input.messages);
  }
});

test("a window that a catalogue writes as null is not known: it is guessed, and holds nothing back", async () => {
  const { compactor } = setup(() => good, { model: { contextWindow: null, maxOutputTokens: null } });
  expect(compactor.budgets).toMatchObject({ contextWindow: 32_768, maxOutputTokens: 8192, guessed: true });
  const huge = transcriptOf("u1", { text: () => words(200_000) });
  expect(sent(await compactor.prepareRequest({ messages: huge })).limit).toBe(Number.POSITIVE_INFINITY);
  compactor.setModel({ contextWindow: 64_000, maxOutputTokens: null });
  expect(compactor.budgets).toMatchObject({ maxOutputTokens: 16_000, guessed: false });
  compactor.setModel({ contextWindow: null });
  expect(compactor.budgets.guessed).toBe(true);
});

test("an output limit at the window means none of its own: a warning, and a quarter of the window", async () => {
  const { compactor } = setup(() => good, { model: { contextWindow: 128_000, maxOutputTokens: 128_000 } });
  expect(compactor.budgets.warnings).toEqual([expect.stringContaining("maxOutputTokens (128000)")]);
  expect(compactor.budgets).toMatchObject({ maxOutputTokens: 32_000, hardLimit: 96_000 });
  expect(sent(await compactor.prepareRequest({ messages: prompt })).maxOutputTokens).toBe(32_000);
});

test.each([
  [{ contextWindow: 0, maxOutputTokens: 100 }, "contextWindow must be a positive integer of tokens, got 0"],
  [{ contextWindow: 8192.5 }, "contextWindow must be a positive integer of tokens, got 8192.5"],
  [{ contextWindow: 8192, maxOutputTokens: -1 }, "maxOutputTokens must be a positive integer of tokens, got -1"],
])("limits of %o are refused by name, when the compactor is made and when the model changes", (model, message) => {
  expect(() => setup(() => good, { model })).toThrow(new RangeError(message));
  const { compactor } = setup(() => good);
  const { budgets } = compactor;
  expect(() => compactor.setModel(model)).toThrow(new RangeError(message));
  expect(compactor.budgets).toBe(budgets);
});

test.each(["contextWindow", "maxOutputTokens"] as const)(
  "a summary model whose %s is no number of tokens is refused by name when the compactor is made",
  (name) => {
    const summaryModel = { contextWindow: 32_000, maxOutputTokens: 2000, complete: async () => good };
    for (const tokens of [0, Number.NaN, undefined as unknown as number]) {
      expect(() => setup(() => good, { summaryModel: { ...summaryModel, [name]: tokens } })).toThrow(
        new RangeError(`summaryModel.${name} must be a positive integer of tokens, got ${tokens}`),
      );
    }
  },
);

test("the model changes to a smaller one while a compaction for the larger one runs: the next request fits the smaller one", async () => {
  const started = createGate();
  const gate = createGate();
  const failingLate: Complete = async (request, signal) => {
    started.open();
    await gate.opened;
    return failing(request, signal);
  };
  const { compactor, store } = setup(failingLate, { model: { contextWindow: 1_000_000, maxOutputTokens: 32_000 } });
  compactor.requestNewContext();
  const running = compactor.prepareRequest({ messages: conversation(100) });
  await started.opened;
  compactor.setModel({ contextWindow: 32_000, maxOutputTokens: 4000 });
  gate.open();
  const request = sent(await running);
  expect(request.limit).toBe(24_000);
  // The first kept a window of 64,000 tokens for the model of a million.
  expect(request.compaction).toMatchObject({ trigger: "automatic", outcome: "fallback", generation: 2 });
  expect(await store.list("c")).toHaveLength(2);
});

test("a larger model takes what a smaller one would have compacted, by its own limits", async () => {
  const { compactor, asked } = setup(() => good);
  const messages = conversation(24);
  compactor.setModel({ contextWindow: 1_000_000, maxOutputTokens: 32_000 });
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request).toMatchObject({ limit: 950_000, maxOutputTokens: 32_000 });
  expect(request.messages).toEqual(messages);
  expect(asked).toHaveLength(0);
});

/** A finished conversation whose newest answers report `factor` times what is counted. */
function reporting(factor: number, model: string, notation: string): Message[] {
  const messages = transcriptOf(notation, { text: () => words(300) });
  return messages.map((message, index) => {
    if (message.role !== "assistant") return message;
    const totalTokens = Math.round(countOf(messages.slice(0, index + 1)) * factor);
    return { ...message, model, usage: { input: totalTokens, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens } };
  });
}

test("usage that another model reported is not this one's size", async () => {
  const messages = reporting(2, "old", "u1 a1 u2 a2 u3");
  const limits = { contextWindow: 32_000, maxOutputTokens: 4000 };
  const { compactor } = setup(() => good, { model: { ...limits, modelId: "old" } });
  expect(sent(await compactor.prepareRequest({ messages })).tokens).toBeGreaterThan(1.5 * countOf(messages));
  compactor.setModel({ ...limits, modelId: "new" });
  expect(sent(await compactor.prepareRequest({ messages })).tokens).toBe(countOf(messages));
});

test("RT-01 an attempt that failed or was aborted leaves the usage in force, so the trigger still comes", async () => {
  const model = { contextWindow: 32_000, maxOutputTokens: 4000, modelId: "one" };
  const { compactor } = setup(failing, { model });
  const finished = reporting(2, "one", "u1 a1 u2 a2");
  const messages = [...finished, ...transcriptOf("u3")];
  const { tokens } = sent(await compactor.prepareRequest({ messages }));
  expect(tokens).toBeGreaterThan(1.5 * countOf(messages));
  await expect(compactor.compact({ messages: finished })).rejects.toMatchObject({ code: "summary_provider" });
  expect(sent(await compactor.prepareRequest({ messages })).tokens).toBe(tokens);
  const controller = new AbortController();
  const off = compactor.on("compaction_start", () => controller.abort());
  compactor.requestNewContext();
  const grown = [...finished, ...transcriptOf("u3 a3 u4", { text: () => words(2000) })];
  expect(await compactor.prepareRequest({ messages: grown, signal: controller.signal })).toEqual({ kind: "aborted" });
  off();
  expect(sent(await compactor.prepareRequest({ messages })).tokens).toBe(tokens);
});

test("what the provider's reports have taught makes the trigger come earlier after a checkpoint, and after a restart", async () => {
  const model = { contextWindow: 32_000, maxOutputTokens: 4000, modelId: "one" };
  const { compactor, make, store } = setup(() => good, { model });
  const taught = [...reporting(1.5, "one", "u1 a1 u2 a2 u3 a3 u4 a4"), ...transcriptOf("u5")];
  compactor.requestNewContext();
  const first = sent(await compactor.prepareRequest({ messages: taught }));
  expect(first.compaction?.checkpoint?.details.calibration).toBe(1.5);
  expect(await store.list("c")).toMatchObject([{ details: { calibration: 1.5 } }]);

  // About 16,600 tokens counted: under the trigger of 21,600 as they are, over it times 1.5.
  const messages = [...taught, ...transcriptOf("a5 u6", { text: () => words(8000) })];
  const untaught = setup(() => good, { model }).compactor;
  const unmeasured = [...first.messages, ...messages.slice(-2)];
  const plain = sent(await untaught.prepareRequest({ messages: unmeasured }));
  expect(plain.compaction).toBeUndefined();
  const restarted = sent(await make().prepareRequest({ messages }));
  // The size itself is the plain count: only the trigger is corrected.
  expect(restarted.compaction).toMatchObject({ trigger: "automatic", outcome: "summary", tokensBefore: plain.tokens });
});

test("a provider that reports half of what is counted does not make a summary look useless", async () => {
  const { compactor } = setup(() => good, { model: { contextWindow: 32_000, maxOutputTokens: 4000 } });
  const overheadTokens = 10_000;
  const finished = transcriptOf("u1 a1", { text: () => words(1500) });
  const totalTokens = Math.round((countOf(finished) + overheadTokens) * 0.6);
  const usage = { input: totalTokens, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens };
  const messages = finished.map((message) => (message.role === "assistant" ? { ...message, usage } : message));
  const report = await compactor.compact({ messages, overheadTokens });
  expect(report).toMatchObject({ outcome: "summary", tokensBefore: totalTokens });
  expect(report.checkpoint?.details.limiter).toBeUndefined();
});

import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import type { SummaryAnswer, SummaryModel, SummaryRequest } from "@holdfast/chunked-summarizer";
import { SummaryModelError } from "@holdfast/chunked-summarizer";
import { createVirtualClock } from "@holdfast/chunked-summarizer/testing";
import type { Message } from "@holdfast/message-schema";
import { checkRequest } from "@holdfast/test-kit";
import { describe, expect, test } from "vitest";
import { type Compactor, createCompactor } from "./compactor.ts";
import type { CompactorOptions, PreparedRequest } from "./compactor-options.ts";
import { transcriptOf } from "./message-notation.ts";

const counter = {
  countText: (text: string) => Math.ceil(text.length / 4),
  countMessage: (message: Message) => Math.ceil(JSON.stringify(message.content).length / 4) + 4,
};
const goodText = "## Goal\nBuild.\n\n## Progress\n- Done.\n\n## Next steps\n- Go on.";
const good: SummaryAnswer = { text: goodText, stopReason: "stop", usage: { inputTokens: 10, outputTokens: 5 } };

type Complete = (request: SummaryRequest, signal: AbortSignal) => SummaryAnswer | Promise<SummaryAnswer>;

function setup(complete: Complete, options: Partial<CompactorOptions> = {}) {
  const asked: SummaryRequest[] = [];
  const summaryModel: SummaryModel = {
    contextWindow: 32_000,
    maxOutputTokens: 2000,
    complete: async (request, { signal }) => {
      asked.push(request);
      return complete(request, signal);
    },
  };
  const store = options.store ?? createMemoryStore();
  const make = () =>
    createCompactor({
      model: { contextWindow: 32_000, maxOutputTokens: 4000 },
      summaryModel,
      counter,
      store,
      conversationId: "c",
      clock: createVirtualClock(),
      ...options,
    });
  return { asked, store, make, compactor: make() };
}

/** A promise that the test resolves when it is time. */
function createGate<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const failing: Complete = () => {
  throw new SummaryModelError("transport", { status: 503, cause: new Error("secret provider words") });
};

/** `turns` finished turns of about `tokens` tokens each, then a prompt. */
function conversation(turns: number, tokens = 1000): Message[] {
  const notation = Array.from({ length: turns }, (_, turn) => `u${turn} a${turn}[c${turn}] r(c${turn}) a${turn}x`);
  return transcriptOf([...notation, "u999"].join(" "), {
    text: () => "word ".repeat(Math.round((tokens * 4) / 5 / 4)),
  });
}

function sent(request: PreparedRequest) {
  if (request.kind !== "send") throw new Error(`expected a request to send, got ${request.kind}`);
  const problems = checkRequest(request.messages, { endsWithInput: true });
  expect(problems).toEqual([]);
  expect(request.tokens).toBeLessThan(request.limit);
  return request;
}

test("a conversation below the trigger is sent as it is, and nobody is asked", async () => {
  const { compactor, asked } = setup(() => good);
  const messages = conversation(3);
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.messages).toEqual(messages);
  expect(request.compaction).toBeUndefined();
  expect(asked).toHaveLength(0);
});

test("at the trigger the past becomes a summary and the new prompt stays", async () => {
  const { compactor, asked } = setup(() => good);
  const request = sent(await compactor.prepareRequest({ messages: conversation(24) }));
  expect(request.compaction).toMatchObject({ trigger: "automatic", outcome: "summary", mode: "completed_turn" });
  expect(asked.length).toBeGreaterThan(0);
  expect(request.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  expect(request.messages.at(-1)?.id).toBe("u999");
  expect(JSON.stringify(request.messages[0])).toContain("Done.");
});

test("when the summary fails the real recent window stays and no word of the provider is kept", async () => {
  const { compactor, store } = setup(failing);
  const request = sent(await compactor.prepareRequest({ messages: conversation(24) }));
  expect(request.compaction).toMatchObject({ outcome: "fallback", failureReason: "summary_provider" });
  const kept = request.messages.slice(1, -1);
  expect(kept.map(({ id }) => id)).toEqual(
    conversation(24)
      .slice(-1 - kept.length, -1)
      .map(({ id }) => id),
  );
  expect(new Set(kept.map(({ role }) => role))).toEqual(new Set(["user", "assistant", "toolResult"]));
  const window = kept.reduce((sum, message) => sum + counter.countMessage(message), 0);
  expect(window).toBeGreaterThan((request.compaction?.windowBudget ?? 0) / 2);
  const everything = JSON.stringify([request, await store.list("c")]);
  expect(everything).not.toContain("secret provider words");
});

test("a new process with the same store and transcript sends the same bytes", async () => {
  const { make } = setup(failing);
  const messages = conversation(24);
  const first = sent(await make().prepareRequest({ messages }));
  const second = sent(await make().prepareRequest({ messages }));
  expect(JSON.stringify(second.messages)).toBe(JSON.stringify(first.messages));
  expect(second.compaction).toBeUndefined();
});

test("after a failure no model is asked again until enough was added", async () => {
  const { compactor, asked, make } = setup(failing);
  await compactor.prepareRequest({ messages: conversation(24) });
  const before = asked.length;
  const messages = [...conversation(24), ...transcriptOf("a998 u998")];
  sent(await compactor.prepareRequest({ messages, overheadTokens: 12_000 }));
  sent(await make().prepareRequest({ messages, overheadTokens: 12_000 }));
  expect(asked.length).toBe(before);
});

test("a success after failures reads what they left unread, and generations count on", async () => {
  let healthy = false;
  const { compactor, asked } = setup((request, signal) => (healthy ? good : failing(request, signal)));
  const first = sent(await compactor.prepareRequest({ messages: conversation(24) }));
  expect(first.compaction?.checkpoint?.details.generation).toBe(1);
  expect(first.compaction?.uncovered).toEqual([{ from: "u0", through: "a23x" }]);
  healthy = true;
  const prompt = { role: "user", content: "Go on." } as const;
  const earlier = asked.length;
  const request = sent(
    await compactor.prepareRequest({ messages: conversation(44).with(-1, { ...prompt, id: "u1000" }) }),
  );
  expect(request.compaction).toMatchObject({ outcome: "summary", generation: 2, uncovered: [] });
  expect(asked.length).toBeGreaterThan(earlier);
  const read = asked
    .slice(earlier)
    .map(({ prompt }) => prompt)
    .join("\n");
  expect(read).toContain("c0.ts");
  expect(read).toContain("c43.ts");
});

test("an active turn keeps its request word for word beside a summary", async () => {
  const { compactor } = setup(() => good);
  const messages = [...conversation(24), ...transcriptOf("a1000[k] r(k)")];
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.compaction).toMatchObject({ outcome: "summary", mode: "active_turn" });
  expect(request.messages.slice(1).map(({ id }) => id)).toEqual(["u999"]);
});

test("FB-03 with nothing new the outcome is unchanged, every time, and nothing is written", async () => {
  const { compactor, asked, store } = setup(() => good);
  const messages = conversation(24);
  const first = sent(await compactor.prepareRequest({ messages }));
  const stored = JSON.stringify(await store.list("c"));
  const before = asked.length;
  for (let round = 0; round < 6; round += 1) {
    const overheadTokens = compactor.budgets.trigger - first.tokens;
    const request = sent(await compactor.prepareRequest({ messages, overheadTokens }));
    expect(request.compaction).toMatchObject({ outcome: "unchanged", failureReason: "no_new_history" });
  }
  expect(asked.length).toBe(before);
  expect(JSON.stringify(await store.list("c"))).toBe(stored);
});

test("a prompt that cannot fit is refused with the reason, and nothing is lost", async () => {
  const { compactor, store } = setup(() => good);
  const messages = conversation(0, 120_000);
  const refused = await compactor.prepareRequest({ messages });
  expect(refused).toMatchObject({ kind: "refused", reason: "prompt_too_large" });
  const overhead = await compactor.prepareRequest({ messages: conversation(2), overheadTokens: 30_000 });
  expect(overhead).toMatchObject({ kind: "refused", reason: "overhead_too_large" });
  expect(await store.list("c")).toEqual([]);
});

describe("a manual compaction", () => {
  const finished = () => conversation(5).slice(0, -1);

  test("summarizes a short conversation too", async () => {
    const { compactor } = setup(() => good);
    expect(await compactor.compact({ messages: finished() })).toMatchObject({ outcome: "summary", trigger: "manual" });
  });

  test("fails fast with the reason as its code and leaves everything as it was", async () => {
    // A short conversation, and one that a fallback would make smaller.
    for (const turns of [5, 30]) {
      const { compactor, store } = setup(failing);
      const messages = conversation(turns).slice(0, -1);
      await expect(compactor.compact({ messages })).rejects.toMatchObject({ code: "summary_provider" });
      expect(await store.list("c")).toEqual([]);
    }
  });

  test("is refused in the middle of a turn, and with nothing to read", async () => {
    const { compactor } = setup(() => good);
    const messages = [...conversation(5), ...transcriptOf("a1000[k] r(k)")];
    await expect(compactor.compact({ messages })).rejects.toMatchObject({ code: "turn_active" });
    await compactor.compact({ messages: finished() });
    await expect(compactor.compact({ messages: finished() })).rejects.toMatchObject({ code: "no_new_history" });
  });

  test("RT-04 is busy while another one runs, and the running one is not disturbed", async () => {
    const gate = createGate<SummaryAnswer>();
    const { compactor, asked } = setup(() => gate.promise);
    const first = compactor.compact({ messages: finished() });
    const second = compactor.compact({ messages: finished() });
    await expect(second).rejects.toMatchObject({ code: "busy" });
    gate.resolve(good);
    expect(await first).toMatchObject({ outcome: "summary" });
    expect(asked).toHaveLength(1);
  });
});

test("RT-04 two requests at once share one compaction", async () => {
  const { compactor, asked, store } = setup(() => good);
  const messages = conversation(24);
  const ends: unknown[] = [];
  compactor.on("compaction_end", (report) => ends.push(report.outcome));
  const both = await Promise.all([compactor.prepareRequest({ messages }), compactor.prepareRequest({ messages })]);
  expect(JSON.stringify(sent(both[1]).messages)).toBe(JSON.stringify(sent(both[0]).messages));
  expect(await store.list("c")).toHaveLength(1);
  expect(ends).toEqual(["summary"]);
  expect(asked.length).toBeGreaterThan(0);
});

test("RT-05 an abort stops the requests, records nothing, and the prompt can be sent again", async () => {
  const controller = new AbortController();
  const { compactor, store, asked } = setup((_, signal) => {
    controller.abort(new Error("user pressed escape"));
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const messages = conversation(24);
  expect(await compactor.prepareRequest({ messages, signal: controller.signal })).toEqual({ kind: "aborted" });
  expect(await store.list("c")).toEqual([]);
  expect(asked).toHaveLength(1);
});

test("RT-03 prompts that arrive during a compaction are in the next request once, in order", async () => {
  for (const ending of [() => good, failing]) {
    const gate = createGate<void>();
    const { compactor } = setup(async (request, signal) => {
      await gate.promise;
      return ending(request, signal);
    });
    const messages = [...conversation(24), ...transcriptOf("u1000 u1001")];
    const running = compactor.prepareRequest({ messages });
    const arrived = [...messages, ...transcriptOf("u1002")];
    const later = compactor.prepareRequest({ messages: arrived });
    gate.resolve();
    await running;
    const ids = sent(await later).messages.map(({ id }) => id);
    expect(ids.slice(-4)).toEqual(["u999", "u1000", "u1001", "u1002"]);
  }
});

test("ST-02 when the store fails the old state stays whole and the host learns of it", async () => {
  const memory = createMemoryStore();
  const broken = { ...memory, append: () => Promise.reject(new Error("disk full")) };
  const { compactor } = setup(() => good, { store: broken });
  const messages = conversation(20);
  const request = sent(await compactor.prepareRequest({ messages, overheadTokens: 2000 }));
  expect(request.compaction).toMatchObject({ outcome: "store_failed", checkpoint: null });
  expect(request.messages).toEqual(messages);
});

test("another writer's checkpoint is taken over after a conflict", async () => {
  const { make, asked } = setup(() => good);
  const [one, two] = [make(), make()];
  const messages = conversation(24);
  const loser = async (compactor: Compactor) => sent(await compactor.prepareRequest({ messages }));
  const [a, b] = await Promise.all([loser(one), loser(two)]);
  expect(JSON.stringify(b.messages)).toBe(JSON.stringify(a.messages));
  expect(asked.length).toBeGreaterThan(0);
});

describe("after a provider overflow", () => {
  test("the failed answer is left out, one compaction makes room, and the second overflow is final", async () => {
    const { compactor } = setup(() => good);
    const messages = [...conversation(12), ...transcriptOf("a1000:error")];
    const retry = sent(await compactor.recoverFromOverflow({ messages }));
    expect(retry.compaction).toMatchObject({ trigger: "overflow", outcome: "summary", mode: "active_turn" });
    expect(retry.messages.map(({ id }) => id)).not.toContain("a1000");
    expect(retry.messages.at(-1)?.id).toBe("u999");
    expect(await compactor.recoverFromOverflow({ messages })).toMatchObject({ kind: "refused" });
  });
});

test("a new window that the model asks for is made once, before the next request", async () => {
  const { compactor, asked } = setup(() => good);
  const messages = [...conversation(4), ...transcriptOf("a1000[k] r(k)")];
  compactor.requestNewContext();
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.compaction).toMatchObject({ trigger: "new_context", outcome: "summary", mode: "active_turn" });
  expect(request.messages.slice(1).map(({ id }) => id)).toEqual(["u999"]);
  const before = asked.length;
  expect(sent(await compactor.prepareRequest({ messages })).compaction).toBeUndefined();
  expect(asked.length).toBe(before);
});

test("a new window before a new prompt does not bring the finished request back", async () => {
  const { compactor } = setup(() => good);
  compactor.requestNewContext();
  const request = sent(await compactor.prepareRequest({ messages: conversation(4) }));
  expect(request.compaction).toMatchObject({ trigger: "new_context", mode: "completed_turn" });
  expect(request.messages.slice(1).map(({ id }) => id)).toEqual(["u999"]);
});

test("the fresh_window strategy asks nobody and keeps nothing of the range", async () => {
  const { compactor, asked } = setup(() => good, { strategy: "fresh_window" });
  const request = sent(await compactor.prepareRequest({ messages: conversation(24) }));
  expect(request.compaction).toMatchObject({ outcome: "fresh_window", uncovered: [] });
  expect(request.messages).toHaveLength(2);
  expect(asked).toHaveLength(0);
});

test("numbers that are no positive integers are refused when the compactor is made", () => {
  expect(() => setup(() => good, { model: { contextWindow: 0, maxOutputTokens: 100 } })).toThrow("contextWindow");
});

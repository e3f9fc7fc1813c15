import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { expect, test } from "vitest";
import { conversation, createGate, good, sent, setup, watched } from "./fixtures/compactor-setup.ts";

const messages = conversation(24);
const finished = conversation(5, "u9 a9");

test("RT-04 a manual compaction is busy while an automatic one runs, which goes on undisturbed", async () => {
  const gate = createGate();
  const started = createGate();
  const { compactor, asked, store } = setup(async () => {
    started.open();
    await gate.opened;
    return good;
  });
  const automatic = compactor.prepareRequest({ messages });
  await started.opened;
  const requests = asked.length;
  await expect(compactor.compact({ messages: finished })).rejects.toMatchObject({ code: "busy" });
  expect(asked).toHaveLength(requests);
  gate.open();
  expect(sent(await automatic).compaction).toMatchObject({ outcome: "summary" });
  expect(await store.list("c")).toHaveLength(1);
});

test("RT-04 two processes on one store: one record, and the loser sends what the winner installed", async () => {
  const { make, store } = setup(() => good);
  const ends: string[] = [];
  const processes = [make(), make()];
  for (const compactor of processes) compactor.on("compaction_end", ({ outcome }) => ends.push(outcome));
  const requests = await Promise.all(processes.map((compactor) => compactor.prepareRequest({ messages })));
  const [one, two] = requests.map((request) => JSON.stringify(sent(request).messages));
  expect(one).toBe(two);
  expect(await store.list("c")).toHaveLength(1);
  expect(ends.sort()).toEqual(["conflict", "summary"]);
});

test("RT-04 a manual compaction that another process overtakes says so and changes nothing", async () => {
  const { make, store } = setup(() => good);
  const [one, two] = [make(), make()];
  // Both have read the empty chain before either writes.
  await two.prepareRequest({ messages: finished.slice(0, 1) });
  expect(await one.compact({ messages: finished })).toMatchObject({ outcome: "summary", generation: 1 });
  await expect(two.compact({ messages: finished })).rejects.toMatchObject({ code: "conflict" });
  await expect(two.compact({ messages: finished })).rejects.toMatchObject({ code: "no_new_history" });
  expect(await store.list("c")).toHaveLength(1);
});

test("RT-04 when the first of many callers aborts, one other goes on and the rest join it", async () => {
  const controller = new AbortController();
  const started = createGate();
  let hangs = true;
  const { compactor, store } = setup((_, signal) => {
    if (!hangs) return good;
    started.open();
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const ends: string[] = [];
  compactor.on("compaction_end", ({ outcome }) => ends.push(outcome));
  const first = compactor.prepareRequest({ messages, signal: controller.signal });
  const others = [1, 2, 3].map(() => compactor.prepareRequest({ messages }));
  await started.opened;
  hangs = false;
  controller.abort();
  expect(await first).toEqual({ kind: "aborted" });
  for (const request of await Promise.all(others)) expect(sent(request).messages).toHaveLength(2);
  expect(ends).toEqual(["aborted", "summary"]);
  expect(await store.list("c")).toHaveLength(1);
});

test("RT-04 a waiter that aborts leaves at once, and the compaction it waited for goes on", async () => {
  const gate = createGate();
  const started = createGate();
  const controller = new AbortController();
  const { compactor } = setup(async () => {
    started.open();
    await gate.opened;
    return good;
  });
  const first = compactor.prepareRequest({ messages });
  await started.opened;
  const waiter = compactor.prepareRequest({ messages, signal: controller.signal });
  controller.abort();
  expect(await waiter).toEqual({ kind: "aborted" });
  gate.open();
  expect(sent(await first).compaction).toMatchObject({ outcome: "summary" });
});

test("two first requests at once read the chain once, so that no slower read undoes what was installed meanwhile", async () => {
  const reads: string[] = [];
  const store = watched(createMemoryStore(), (call) => {
    if (call === "list") reads.push(call);
  });
  const { compactor } = setup(() => good, { store });
  const requests = await Promise.all([1, 2].map(() => compactor.prepareRequest({ messages })));
  for (const request of requests) expect(sent(request).messages).toHaveLength(2);
  expect(reads).toHaveLength(1);
});

async function requestsOfOneCompaction(): Promise<number> {
  const { compactor, asked } = setup(() => good);
  await compactor.prepareRequest({ messages });
  return asked.length;
}

test("a boundary that the user went back behind is not stored, and nobody is asked again for it", async () => {
  const once = await requestsOfOneCompaction();
  const { compactor, asked, store } = setup(() => good);
  const left = conversation(2);
  const request = await compactor.prepareRequest({ messages, currentMessages: () => left });
  expect(request).toMatchObject({ compaction: { outcome: "conflict", checkpoint: null } });
  const requests = asked.length;
  expect(requests).toBe(once);
  await expect(
    compactor.compact({ messages: finished, currentMessages: () => finished.slice(0, 2) }),
  ).rejects.toMatchObject({ code: "conflict" });
  expect(await store.list("c")).toEqual([]);
  expect(sent(await compactor.prepareRequest({ messages: left })).messages).toEqual(left);
});

// Several links, so that there is something between two of them.
const long = conversation(150);
const hardModel = { contextWindow: 200_000, maxOutputTokens: 8000 };

/** Runs until the abort that `abortAt` makes, then asks again without one. */
async function aborted(abortAt: (controller: AbortController, sending: number) => void, beforeAppend = () => {}) {
  const controller = new AbortController();
  const store = createMemoryStore();
  let sending = 0;
  let signalled = 0;
  const { make, asked } = setup(
    (_, signal) => {
      sending += 1;
      signal.addEventListener("abort", () => {
        signalled += 1;
      });
      abortAt(controller, sending);
      return good;
    },
    { store: watched(store, (call) => (call === "append" ? beforeAppend() : undefined)), model: hardModel },
  );
  const compactor = make();
  const overheadTokens = 30_000;
  abortAt(controller, 0);
  const request = await compactor.prepareRequest({ messages: long, overheadTokens, signal: controller.signal });
  const requests = asked.length;
  const signalledThen = signalled;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked).toHaveLength(requests);
  const stored = await store.list("c");
  const again = await compactor.prepareRequest({ messages: long, overheadTokens });
  return { request, requests, signalled: signalledThen, stored, again: sent(again), make, controller, overheadTokens };
}

test("RT-05 (a) an abort before the first request asks nobody and stores nothing", async () => {
  const run = await aborted((controller, sending) => {
    if (sending === 0) controller.abort();
  });
  expect(run).toMatchObject({ request: { kind: "aborted" }, requests: 0, stored: [] });
  expect(run.again.compaction).toMatchObject({ outcome: "summary" });
});

test("RT-05 (b) an abort while an answer streams reaches the model, and the prompt is accepted right after", async () => {
  const run = await aborted((controller, sending) => {
    if (sending === 1) controller.abort();
  });
  expect(run).toMatchObject({ request: { kind: "aborted" }, requests: 1, signalled: 1, stored: [] });
  expect(run.again.compaction).toMatchObject({ outcome: "summary" });
});

test("RT-05 (c) an abort between the second link and the third sends no third", async () => {
  const run = await aborted((controller, sending) => {
    if (sending === 2) queueMicrotask(() => controller.abort());
  });
  expect(run).toMatchObject({ request: { kind: "aborted" }, requests: 2, stored: [] });
  expect(run.again.compaction).toMatchObject({ outcome: "summary" });
});

test("RT-05 (d) an abort in the commit leaves the new state whole, for this process and for the next", async () => {
  let abort = () => {};
  const run = await aborted(
    (controller) => {
      abort = () => controller.abort();
    },
    () => abort(),
  );
  expect(run.request).toEqual({ kind: "aborted" });
  expect(run.stored).toHaveLength(1);
  expect(run.again.compaction).toBeUndefined();
  const restarted = await run.make().prepareRequest({ messages: long, overheadTokens: run.overheadTokens });
  expect(JSON.stringify(sent(restarted).messages)).toBe(JSON.stringify(run.again.messages));
});

test("RT-05 an abort while nobody is asked writes nothing either", async () => {
  const controller = new AbortController();
  const { compactor, store } = setup(() => good, { strategy: "fresh_window" });
  const off = compactor.on("compaction_start", () => controller.abort());
  const request = await compactor.prepareRequest({ messages, signal: controller.signal });
  expect(request).toEqual({ kind: "aborted" });
  expect(await store.list("c")).toEqual([]);
  off();
  expect(sent(await compactor.prepareRequest({ messages })).compaction).toMatchObject({ outcome: "fresh_window" });
});

test("RT-05 (e) an abort after the commit changes nothing", async () => {
  const run = await aborted(() => {});
  const before = JSON.stringify(sent(run.request).messages);
  run.controller.abort();
  expect(JSON.stringify(run.again.messages)).toBe(before);
  expect(run.stored).toHaveLength(1);
});

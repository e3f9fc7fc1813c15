import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { expect, test } from "vitest";
import type { CompactionReport } from "./compaction-report.ts";
import { conversation, good, sent, setup, watched } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

const diskFull = new Error("disk full");

/** A store that throws on each write until it is mended. */
function breakableStore() {
  let isBroken = true;
  const store = watched(createMemoryStore(), (call) => {
    if (isBroken && call === "append") throw diskFull;
  });
  return {
    store,
    mend: () => {
      isBroken = false;
    },
  };
}

test("a request over the limit with a store that cannot be written: the refusal says that it is the store, and what it threw", async () => {
  const { compactor } = setup(() => good, { store: breakableStore().store });
  const refused = await compactor.prepareRequest({ messages: conversation(30) });
  expect(refused).toMatchObject({ kind: "refused", compaction: { outcome: "store_failed", checkpoint: null } });
  expect(refused.kind === "refused" && refused.compaction?.cause).toBe(diskFull);
});

test.each([
  ["is said again in other words", (turn: number) => conversation(30, `u${500 + turn}`)],
  ["grows by a turn of 1,000 tokens each time", (turn: number) => conversation(30 + turn, `u${500 + turn}`)],
])(
  "a request over the limit that %s costs one summary while the store cannot be written, and is sent when it can",
  async (_, messagesAt) => {
    const { store, mend } = breakableStore();
    const { compactor, asked } = setup(() => good, { store });
    const outcomes: unknown[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const refused = await compactor.prepareRequest({ messages: messagesAt(turn) });
      outcomes.push(refused.kind === "refused" ? refused.compaction?.outcome : refused.kind);
    }
    expect(outcomes).toEqual(Array(10).fill("store_failed"));
    // Two requests: the range needs a chain of them.
    expect(asked).toHaveLength(2);
    mend();
    const request = sent(await compactor.prepareRequest({ messages: messagesAt(10) }));
    expect(request.compaction).toMatchObject({ outcome: "fallback", summaryRequests: 0 });
    expect(await store.list("c")).toHaveLength(1);
  },
);

test("requests that the provider refuses cost one summary while the store cannot be written", async () => {
  const { compactor, asked } = setup(() => good, { store: breakableStore().store });
  for (let turn = 0; turn < 5; turn += 1) {
    const messages = conversation(12 + turn, `u${500 + turn}`);
    expect(await compactor.recoverFromOverflow({ messages: [...messages, ...transcriptOf("a900")] })).toMatchObject({
      kind: "refused",
      compaction: { outcome: "store_failed", cause: diskFull },
    });
  }
  expect(asked).toHaveLength(1);
});

test("a store that was mended gets summaries again", async () => {
  const { store, mend } = breakableStore();
  const { compactor } = setup(() => good, { store });
  const messages = conversation(30);
  await compactor.prepareRequest({ messages });
  mend();
  expect(sent(await compactor.prepareRequest({ messages })).compaction).toMatchObject({ outcome: "fallback" });
  messages.push(...conversation(60, "u1000").slice(-121));
  expect(sent(await compactor.prepareRequest({ messages })).compaction).toMatchObject({ outcome: "summary" });
});

test("a store that cannot be read after a restart, and a transcript that fits: the request goes out and says so", async () => {
  const connectionLost = new Error("connection lost");
  let isDown = true;
  const store = watched(createMemoryStore(), () => {
    if (isDown) throw connectionLost;
  });
  const { compactor } = setup(() => good, { store });
  const told: CompactionReport[] = [];
  compactor.on("compaction_end", (report) => told.push(report));
  const messages = conversation(3);
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.messages).toEqual(messages);
  expect(request.compaction).toMatchObject({ outcome: "store_failed", checkpoint: null, summaryRequests: 0 });
  expect(request.compaction?.cause).toBe(connectionLost);
  expect(await compactor.endTurn({ messages })).toMatchObject({ outcome: "store_failed" });
  expect(told.map(({ outcome, cause }) => [outcome, cause])).toEqual(Array(2).fill(["store_failed", connectionLost]));
  isDown = false;
  expect(sent(await compactor.prepareRequest({ messages })).compaction).toBeUndefined();
  expect(told).toHaveLength(2);
});

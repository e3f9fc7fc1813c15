import { parseCheckpoint } from "@holdfast/checkpoint-normalizer";
import type { CheckpointStore } from "@holdfast/checkpoint-store";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { expect, test } from "vitest";
import { conversation, counter, good, sent, setup, watched, words } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

/** A store whose append number `failing` throws: before it wrote, or after the record was durable. */
function storeFailingAt(failing: number, isWritten: boolean): CheckpointStore {
  const memory = createMemoryStore();
  let appends = 0;
  return {
    list: memory.list,
    append: async (...call) => {
      appends += 1;
      if (appends !== failing) return memory.append(...call);
      if (isWritten) await memory.append(...call);
      throw new Error("disk full");
    },
  };
}

function generationOf(record: unknown): number {
  const parsed = parseCheckpoint(record);
  if (!parsed.ok) throw new Error("the store holds what is no record");
  return parsed.checkpoint.details.generation;
}

/** 100 turns of 1,000 tokens: five compactions. */
const messages = conversation(100);
const positions = messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
const cases = [1, 2, 3, 4].flatMap((write): [number, string, boolean][] => [
  [write, "is not made", false],
  [write, "is made all the same", true],
]);

test.each(cases)(
  "ST-02 write %i fails and the record %s: a reopened conversation has the old state or the new one, whole",
  async (write, _, isWritten) => {
    const store = storeFailingAt(write, isWritten);
    const { compactor, make } = setup(() => good, { store });
    const outcomes: string[] = [];
    for (const position of positions) {
      const before = await store.list("c");
      const input = { messages: messages.slice(0, position) };
      const request = sent(await compactor.prepareRequest(input));
      if (request.compaction === undefined) continue;
      outcomes.push(request.compaction.outcome);
      if (request.compaction.outcome !== "store_failed") continue;
      expect(request.compaction).toMatchObject({ checkpoint: null, cause: new Error("disk full") });
      // Nothing was deleted, and at most the one record came in addition.
      const after = await store.list("c");
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after).toHaveLength(before.length + (isWritten ? 1 : 0));
      const reopened = sent(await make().prepareRequest(input));
      expect(reopened.compaction?.outcome).toBe(isWritten ? undefined : "summary");
      // This process goes on with what it sent, or has found the record and sends what the next one does.
      const live = sent(await compactor.prepareRequest(input));
      expect(JSON.stringify(live.messages)).toBe(JSON.stringify((isWritten ? reopened : request).messages));
    }
    expect(outcomes.filter((outcome) => outcome === "store_failed")).toHaveLength(1);
    const generations = (await store.list("c")).map(generationOf);
    expect(generations.length).toBeGreaterThan(3);
    expect(generations).toEqual(generations.map((_, index) => index + 1));
  },
);

test("ST-02 a manual compaction that cannot be stored says so, with the store's error as its cause", async () => {
  const { compactor, store } = setup(() => good, { store: storeFailingAt(1, false) });
  const finished = conversation(5, "u9 a9");
  await expect(compactor.compact({ messages: finished })).rejects.toMatchObject({
    code: "store_failed",
    cause: new Error("disk full"),
  });
  expect(await store.list("c")).toEqual([]);
});

test("a store that stays broken costs a summary for each twentieth of the limit that is added, not for each turn", async () => {
  const broken = { ...createMemoryStore(), append: () => Promise.reject(new Error("disk full")) };
  const { compactor } = setup(() => good, { store: broken });
  const grown = conversation(18, "u500");
  const counted = grown.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const overheadTokens = compactor.budgets.trigger + 100 - counted;
  let attempts = 0;
  compactor.on("compaction_start", () => {
    attempts += 1;
  });
  for (let turn = 0; turn < 10; turn += 1) {
    sent(await compactor.prepareRequest({ messages: grown, overheadTokens }));
    grown.push(...transcriptOf(`a9${turn} u9${turn}`, { text: () => words(30) }));
  }
  expect(attempts).toBe(1);
});

test("a store that cannot be read holds no request back that fits, and nothing is asked or written meanwhile", async () => {
  let isDown = true;
  const memory = createMemoryStore();
  const store = watched(memory, () => (isDown ? Promise.reject(new Error("connection lost")) : undefined));
  const { compactor, asked } = setup(() => good, { store });
  const small = conversation(3);
  expect(sent(await compactor.prepareRequest({ messages: small })).messages).toEqual(small);
  const due = conversation(21);
  const request = await compactor.prepareRequest({ messages: due });
  expect(request).toMatchObject({ kind: "send", compaction: { outcome: "store_failed", summaryRequests: 0 } });
  await expect(compactor.compact({ messages: conversation(3, "u9 a9") })).rejects.toMatchObject({
    code: "store_failed",
  });
  expect(await compactor.prepareRequest({ messages: conversation(40) })).toMatchObject({ kind: "refused" });
  expect(await compactor.endTurn({ messages: due })).toMatchObject({ outcome: "store_failed" });
  expect(asked).toHaveLength(0);
  isDown = false;
  expect(sent(await compactor.prepareRequest({ messages: due })).compaction).toMatchObject({ outcome: "summary" });
});

test("a store that goes down after a checkpoint leaves that checkpoint in force", async () => {
  let isDown = false;
  const store = watched(createMemoryStore(), () => (isDown ? Promise.reject(new Error("gone")) : undefined));
  const { compactor } = setup(() => good, { store });
  const first = sent(await compactor.prepareRequest({ messages: conversation(24) }));
  isDown = true;
  const longer = [
    ...conversation(24),
    ...conversation(24).map((message) => ({ ...message, id: `more-${message.id}` })),
  ];
  const failed = await compactor.prepareRequest({ messages: longer });
  expect(failed).toMatchObject({ kind: "refused", compaction: { outcome: "store_failed" } });
  const again = sent(await compactor.prepareRequest({ messages: conversation(24) }));
  expect(JSON.stringify(again.messages)).toBe(JSON.stringify(first.messages));
});

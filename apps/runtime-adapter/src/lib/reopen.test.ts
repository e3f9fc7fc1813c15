import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { conversation, failing, good, idsOf, sent, setup } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

function markFailed(messages: readonly Message[], id: string | undefined): Message[] {
  return messages.map((message) =>
    message.id === id && message.role === "assistant" ? { ...message, stopReason: "error" } : message,
  );
}

test.each(["error", "length"])(
  "NO-07 an answer that ended in %s and was overcome stays away after a restart",
  async (ending) => {
    const { compactor, make } = setup(() => good);
    const overflowed = conversation(12, `u999 a1000:${ending}`);
    const retry = sent(await compactor.recoverFromOverflow({ messages: overflowed }));
    expect(retry.supersededMessageId).toBe("a1000");
    const log = [...markFailed(overflowed, retry.supersededMessageId), ...transcriptOf("a1001 u1002")];
    const live = sent(await compactor.prepareRequest({ messages: log }));
    const reopened = sent(await make().prepareRequest({ messages: log }));
    expect(idsOf(live.messages).slice(1)).toEqual(["u999", "a1001", "u1002"]);
    expect(JSON.stringify(reopened.messages)).toBe(JSON.stringify(live.messages));
  },
);

test("NO-07 a second overflow of the same request is final, whether or not both failed answers are kept", async () => {
  const { compactor, asked } = setup(() => good);
  const overflowed = conversation(12, "u999 a1000:error");
  sent(await compactor.recoverFromOverflow({ messages: overflowed }));
  const requests = asked.length;
  for (const messages of [overflowed, [...overflowed, ...transcriptOf("a1001:error")]]) {
    expect(await compactor.recoverFromOverflow({ messages })).toMatchObject({ kind: "refused" });
  }
  expect(asked).toHaveLength(requests);
  // The turn goes on: its next request may overflow once again.
  const later = [...overflowed, ...transcriptOf("a1002[k] r(k) a1003:error")];
  expect(sent(await compactor.recoverFromOverflow({ messages: later })).compaction).toMatchObject({
    trigger: "overflow",
    outcome: "summary",
  });
});

test("NO-07 a turn that is rolled back takes its checkpoint with it, for this process and for the next", async () => {
  const { compactor, make, store } = setup(failing);
  const before = conversation(12, "u500 a500 u501");
  const past = before.slice(0, -1);
  const first = sent(await compactor.prepareRequest({ messages: before }));
  expect(first.compaction).toBeUndefined();
  // The turn grows until a compaction cuts it in the middle.
  const turn = conversation(14, "u600", 1000).slice(0, -1);
  const grown = [...before, ...turn.map((message) => ({ ...message, id: `later-${message.id}` }))];
  const cut = sent(await compactor.prepareRequest({ messages: [...grown, ...transcriptOf("u700")] }));
  expect(cut.compaction).toMatchObject({ outcome: "fallback", generation: 1 });
  for (const process of [compactor, make()]) {
    const rolledBack = sent(await process.prepareRequest({ messages: before }));
    expect(JSON.stringify(rolledBack.messages)).toBe(JSON.stringify(first.messages));
  }
  // Another turn is made instead; its checkpoint counts on.
  const other = [...past, ...transcriptOf("u800")];
  compactor.requestNewContext();
  const instead = sent(await compactor.prepareRequest({ messages: other, overheadTokens: 8000 }));
  expect(instead.compaction?.generation ?? 1).toBe(2);
  expect(await store.list("c")).toHaveLength(2);
});

test("NO-07 who comes back to a branch finds the checkpoint that was made on it, as a restart does", async () => {
  const { compactor, make } = setup(() => good);
  const early = conversation(24, "u500");
  const one = sent(await compactor.prepareRequest({ messages: early }));
  const late = [...early, ...transcriptOf("a500 u501 a501 u502")];
  compactor.requestNewContext();
  const two = sent(await compactor.prepareRequest({ messages: late }));
  expect([one.compaction?.generation, two.compaction?.generation]).toEqual([1, 2]);
  expect(idsOf(sent(await compactor.prepareRequest({ messages: early })).messages)).toEqual(idsOf(one.messages));
  for (const process of [compactor, make()]) {
    const back = sent(await process.prepareRequest({ messages: late }));
    expect(JSON.stringify(back.messages)).toBe(JSON.stringify(two.messages));
  }
});

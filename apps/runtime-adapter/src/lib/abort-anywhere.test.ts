import { SummaryModelError } from "@holdfast/chunked-summarizer";
import { expect, test } from "vitest";
import { type Complete, conversation, good, sent, setup } from "./fixtures/compactor-setup.ts";

const messages = conversation(24);

/** As many turns of the microtask queue. */
async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await Promise.resolve();
}

const endings: [string, Complete][] = [
  ["succeeds", () => good],
  // At once: an error that is tried again would be waited for outside the microtask queue.
  [
    "fails",
    () => {
      throw new SummaryModelError("rejected", { status: 400 });
    },
  ],
];

test.each(endings)(
  "RT-05 an abort at any await of a compaction that %s leaves the old state or the new one, whole",
  async (_, ending) => {
    const undisturbed = setup(ending);
    const expected = sent(await undisturbed.compactor.prepareRequest({ messages }));
    const records = await undisturbed.store.list("c");
    const seen = new Set<string>();
    for (let tick = 0; !seen.has("send"); tick += 1) {
      const { compactor, make, store } = setup(ending);
      const controller = new AbortController();
      const running = compactor.prepareRequest({ messages, signal: controller.signal });
      await ticks(tick);
      controller.abort();
      const request = await running;
      const stored = await store.list("c");
      expect(stored).toEqual(stored.length === 0 ? [] : records);
      seen.add(request.kind === "aborted" ? `aborted ${stored.length}` : request.kind);
      // Whoever goes on, in this process or the next, sends what an undisturbed run would have.
      for (const process of [compactor, make()]) {
        expect(sent(await process.prepareRequest({ messages })).messages).toEqual(expected.messages);
      }
    }
    expect([...seen].sort()).toEqual(["aborted 0", "aborted 1", "send"]);
  },
);

import { expect, test } from "vitest";
import { type Complete, conversation, failing, good, idsOf, sent, setup } from "./fixtures/compactor-setup.ts";

const endings: [string, Complete][] = [
  ["succeeds", () => good],
  ["fails", failing],
];

test.each(endings)(
  "SE-03 a compaction that %s while a call is running leaves its exchange whole once the result is there",
  async (_, ending) => {
    const { compactor } = setup(ending);
    const complete = conversation(24, "u999 a999[one,two] r(one) r(two)");
    const meanwhile = sent(await compactor.prepareRequest({ messages: complete.slice(0, -1) }));
    expect(meanwhile.compaction?.checkpoint?.throughMessageId).toBe("u999");
    // The request sent meanwhile makes the answered call only: `sent` holds the pairing.
    expect(meanwhile.messages.at(-2)).toMatchObject({ id: "a999", content: [{}, { id: "one" }] });
    const request = sent(await compactor.prepareRequest({ messages: complete }));
    expect(request.compaction).toBeUndefined();
    expect(request.messages.slice(-3)).toEqual(complete.slice(-3));
    expect(idsOf(request.messages)).toContain("u999");
  },
);

test("SE-03 a record made between a call and its result orphans neither, for the next process either", async () => {
  const { compactor, make, store } = setup(() => good);
  const complete = conversation(24, "u999 a999[one] r(one)");
  compactor.requestNewContext();
  await compactor.prepareRequest({ messages: complete.slice(0, -1) });
  expect(await store.list("c")).toHaveLength(1);
  for (const process of [compactor, make()]) {
    const request = sent(await process.prepareRequest({ messages: complete }));
    expect(request.messages.slice(-2)).toEqual(complete.slice(-2));
  }
});

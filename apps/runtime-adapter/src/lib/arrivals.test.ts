import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import {
  type Complete,
  conversation,
  createGate,
  failing,
  good,
  idsOf,
  sent,
  setup,
} from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

const endings: [string, Complete, boolean][] = [
  ["succeeds", () => good, false],
  ["fails", failing, false],
  ["is aborted", () => good, true],
];
const queued = conversation(24, "u1010 u1011");

/** The ids behind the compacted past: what has to be there once, in order. */
function prompts(messages: readonly Message[]): string[] {
  return idsOf(messages).filter((id) => /^u101\d$/.test(id));
}

test.each(endings)(
  "RT-03 prompts queued before and arriving during a compaction that %s are each sent once, in order",
  async (_, ending, aborts) => {
    const gate = createGate();
    const started = createGate();
    const controller = new AbortController();
    const { compactor, make } = setup(async (request, signal) => {
      started.open();
      await gate.opened;
      return ending(request, signal);
    });
    const first = compactor.prepareRequest({ messages: queued, signal: controller.signal });
    await started.opened;
    // The prompt arrives after the snapshot and before the commit.
    const arrived = [...queued, ...transcriptOf("u1012")];
    const second = compactor.prepareRequest({ messages: arrived });
    if (aborts) controller.abort();
    gate.open();
    expect((await first).kind).toBe(aborts ? "aborted" : "send");
    const request = sent(await second);
    expect(prompts(request.messages)).toEqual(["u1010", "u1011", "u1012"]);
    expect(idsOf(request.messages).slice(-3)).toEqual(["u1010", "u1011", "u1012"]);
    // So does a process that starts now.
    const restarted = sent(await make().prepareRequest({ messages: arrived }));
    expect(JSON.stringify(restarted.messages)).toBe(JSON.stringify(request.messages));
  },
);

test.each(endings)("RT-03 a compaction that %s, then the next one: still each once", async (_, ending, aborts) => {
  const controller = new AbortController();
  if (aborts) controller.abort();
  const { compactor } = setup(ending);
  await compactor.prepareRequest({ messages: queued, signal: controller.signal });
  const arrived = [...queued, ...transcriptOf("u1012")];
  compactor.requestNewContext();
  const overheadTokens = compactor.budgets.trigger - 3000;
  const request = sent(await compactor.prepareRequest({ messages: arrived, overheadTokens }));
  expect(prompts(request.messages)).toEqual(["u1010", "u1011", "u1012"]);
});

test("RT-03 a manual compaction deletes no follow-up that arrives while it runs", async () => {
  for (const ending of [() => good, failing] satisfies Complete[]) {
    const gate = createGate();
    const { compactor } = setup(async (request, signal) => {
      await gate.opened;
      return ending(request, signal);
    });
    const finished = conversation(5, "u9 a9");
    const manual = compactor.compact({ messages: finished }).catch(({ code }) => code);
    const arrived = [...finished, ...transcriptOf("u1010 u1011 u1012")];
    gate.open();
    await manual;
    const request = sent(await compactor.prepareRequest({ messages: arrived }));
    expect(idsOf(request.messages).slice(-3)).toEqual(["u1010", "u1011", "u1012"]);
    expect(prompts(request.messages)).toEqual(["u1010", "u1011", "u1012"]);
  }
});

test("RT-03 a prompt that the host puts into the list it handed over is in that very request", async () => {
  const gate = createGate();
  const { compactor } = setup(async () => {
    await gate.opened;
    return good;
  });
  const messages = [...queued];
  const running = compactor.prepareRequest({ messages });
  messages.push(...transcriptOf("u1012"));
  gate.open();
  expect(idsOf(sent(await running).messages).slice(1)).toEqual(["u1010", "u1011", "u1012"]);
});

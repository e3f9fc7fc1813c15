import { fileURLToPath } from "node:url";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { createVirtualClock, type SummaryModel, SummaryModelError } from "@holdfast/chunked-summarizer";
import type { Message } from "@holdfast/message-schema";
import { createCompactor } from "@holdfast/runtime-adapter";
import { checkRequest } from "@holdfast/test-kit";
import { createEstimator } from "@holdfast/token-counter/estimate";
import { readTranscript } from "@holdfast/transcripts";
import { expect, test } from "vitest";

const sample = fileURLToPath(new URL("../../samples/pi-mono-coding-session.jsonl", import.meta.url));
const counter = createEstimator();
const unreachable: SummaryModel = {
  contextWindow: 128_000,
  maxOutputTokens: 8192,
  complete: () => Promise.reject(new SummaryModelError("rejected", { status: 401 })),
};

/** The beginning of the sample; `HOLDFAST_RUNS` times as much of it by hand. */
async function sampleMessages(): Promise<readonly Message[]> {
  const { conversations } = await readTranscript(sample);
  return (conversations[0]?.messages ?? []).slice(0, 120 * Number(process.env.HOLDFAST_RUNS ?? 1));
}

test("wherever a failing compaction cuts, a new process sends the same bytes, and a provider takes them", async () => {
  const messages = await sampleMessages();
  let compacted = 0;
  for (let length = 2; length <= messages.length; length += 1) {
    const transcript = messages.slice(0, length);
    const tokens = counter.countMessages(transcript);
    const store = createMemoryStore();
    // A window this small makes a compaction due here.
    const start = () =>
      createCompactor({
        model: { contextWindow: Math.max(8000, tokens), maxOutputTokens: 1000 },
        summaryModel: unreachable,
        counter,
        store,
        conversationId: "cut",
        clock: createVirtualClock(),
      });
    const running = await start().prepareRequest({ messages: transcript });
    const restarted = await start().prepareRequest({ messages: transcript });
    expect(restarted.kind).toBe(running.kind);
    if (running.kind !== "send" || restarted.kind !== "send") continue;
    expect(JSON.stringify(restarted.messages)).toBe(JSON.stringify(running.messages));
    expect(checkRequest(running.messages)).toEqual([]);
    if (running.compaction?.outcome === "fallback") compacted += 1;
  }
  expect(compacted).toBeGreaterThan(50);
});

test("RT-09 between checkpoints each request begins with the one before, also after a restart in the middle", async () => {
  const messages = await sampleMessages();
  const store = createMemoryStore();
  const start = () =>
    createCompactor({
      model: { contextWindow: 48_000, maxOutputTokens: 4000 },
      summaryModel: unreachable,
      counter,
      store,
      conversationId: "prefix",
      clock: createVirtualClock(),
    });
  let compactor = start();
  let before: readonly Message[] = [];
  let compared = 0;
  for (let length = 1; length <= messages.length; length += 1) {
    if (messages[length]?.role !== "assistant") continue;
    if (length % 7 === 0) compactor = start();
    const request = await compactor.prepareRequest({ messages: messages.slice(0, length) });
    if (request.kind !== "send") throw new Error(`request at message ${length} was ${request.kind}`);
    if (request.compaction === undefined) {
      expect(JSON.stringify(request.messages.slice(0, before.length))).toBe(JSON.stringify(before));
      compared += 1;
    }
    before = request.messages;
  }
  expect(compared).toBeGreaterThan(30);
});

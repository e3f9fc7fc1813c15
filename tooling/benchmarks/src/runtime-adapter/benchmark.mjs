// What the adapter adds to a turn and to a compaction, model time excluded (the summary model answers at once), on
// histories of growing length and on the largest recorded sessions. Prints medians and the ratio of the last two
// histories: a turn must not cost more because the history is longer.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { createCompactor } from "@holdfast/runtime-adapter";
import { createTokenCounter } from "@holdfast/token-counter";
import { readTranscript } from "@holdfast/transcripts";

const WINDOW = 128_000;
const answer = "## Goal\nGo on.\n\n## Progress\n- Some.\n\n## Next steps\n- More.";

/** @typedef {import("@holdfast/message-schema").Message} Message */

/** @param {number} count @returns {Message[]} */
function conversation(count) {
  return Array.from({ length: count }, (_, index) => {
    const text = `${index} ${"some words of a message ".repeat(1 + (index % 7) * 6)}`;
    return index % 2 === 0
      ? { id: `m${index}`, role: "user", content: text }
      : { id: `m${index}`, role: "assistant", content: [{ type: "text", text }], stopReason: "stop" };
  });
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @param {readonly Message[]} messages @param {number} lastTurns */
async function measure(messages, lastTurns) {
  const counter = await createTokenCounter();
  const compactor = createCompactor({
    model: { contextWindow: WINDOW, maxOutputTokens: 16_384 },
    summaryModel: {
      contextWindow: WINDOW,
      maxOutputTokens: 16_384,
      complete: async () => ({ text: answer, stopReason: "stop" }),
    },
    counter,
    store: createMemoryStore(),
    conversationId: "benchmark",
  });
  const turns = [];
  const compactions = [];
  globalThis.gc?.();
  const heapBefore = process.memoryUsage().heapUsed;
  let peak = heapBefore;
  const ends = messages.flatMap(({ role }, index) => (role === "assistant" && index > 0 ? [index] : []));
  for (const [position, end] of ends.entries()) {
    const prefix = messages.slice(0, end);
    const started = process.hrtime.bigint();
    const request = await compactor.prepareRequest({ messages: prefix });
    const ms = Number(process.hrtime.bigint() - started) / 1e6;
    const compacted = request.kind !== "aborted" && request.compaction !== undefined;
    if (compacted) compactions.push(ms);
    else if (position >= ends.length - lastTurns) turns.push(ms);
    if (compacted) peak = Math.max(peak, process.memoryUsage().heapUsed);
  }
  return {
    messages: messages.length,
    "ms a turn": median(turns).toFixed(3),
    compactions: compactions.length,
    "ms a compaction": compactions.length === 0 ? "-" : median(compactions).toFixed(1),
    "peak heap MB": ((peak - heapBefore) / 1e6).toFixed(0),
  };
}

const sizes = [1000, 10_000, 20_000];
await measure(conversation(2000), 100);
/** @type {Record<string, Awaited<ReturnType<typeof measure>>>} */
const rows = {};
for (const size of sizes) rows[`${size} messages`] = await measure(conversation(size), 400);
for (const name of [
  "pi-v1__pi-mono__before-compaction.jsonl",
  "codex__agentv__2-compactions.jsonl",
  "claude__entire-cli__3-compactions.jsonl",
]) {
  const path = fileURLToPath(new URL(`../../../../../shared/sessions/open/${name}`, import.meta.url));
  if (!existsSync(path)) continue;
  const { conversations } = await readTranscript(path);
  rows[name] = await measure(conversations[0]?.messages ?? [], 400);
}
console.table(rows);
const [, medium, large] = sizes.map((size) => Number(rows[`${size} messages`]?.["ms a turn"]));
if (medium !== undefined && large !== undefined) {
  console.log(`a turn at 20,000 messages takes ${(large / medium).toFixed(2)} times one at 10,000`);
}

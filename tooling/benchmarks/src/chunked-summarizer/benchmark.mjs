// What rendering and planning a summary of about 1 M tokens costs, as a multiple of counting the same text once: at most
// 1.3 where one request holds it, 2.3 where it is chunked. The bars are held with tiktoken, for whose speed they were set;
// beside this project's counter, which is many times as fast, rendering weighs more, so there the milliseconds above the
// count say more than the ratio. Every counter is new, so that neither side finds pieces that the other has counted; times
// are of the processor. Reads the built packages: build first. Exits with 1 when a bar is not held.
import { planSummary } from "@holdfast/chunked-summarizer";
import { renderTranscript } from "@holdfast/message-schema";
import { createTokenCounter } from "@holdfast/token-counter";
import { get_encoding } from "tiktoken";

/** @typedef {{ countText(text: string): number, dispose(): void }} Counter */

/** @typedef {import("@holdfast/message-schema").Message} Message */

/**
 * The same words for the same seed: most are common, many are names that occur a few times, as in real sessions.
 * @param {number} seed
 */
function createWriter(seed) {
  let state = seed;
  const next = (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
  const common = "the parser reads every line of this file and keeps what it can use for a later test value from".split(
    " ",
  );
  const parts = ["read", "Line", "token", "Index", "file", "State", "cache", "Error", "node", "Path", "value", "Map"];
  const name = () => `${parts[next(12)]}${parts[next(12)]}${next(4) === 0 ? next(1000) : ""}`;
  const prose = (/** @type {number} */ words) =>
    Array.from({ length: words }, () => (next(8) === 0 ? name() : common[next(common.length)])).join(" ");
  const code = (/** @type {number} */ lines) =>
    Array.from(
      { length: lines },
      () => `  const ${name()} = await ${name()}(${name()}, { ${name()}: ${next(1e6)} });`,
    ).join("\n");
  const log = (/** @type {number} */ lines) =>
    Array.from(
      { length: lines },
      () => `10:${next(60)}:${next(60)}.${next(1000)} INFO src/${name()}.ts:${next(900)} ${prose(5)}`,
    ).join("\n");
  return { prose, code, log };
}

/**
 * Turns as agents leave them: a request, a call with code in its arguments, a long result, an answer.
 * @param {number} turns
 */
function conversation(turns) {
  const write = createWriter(7);
  return Array.from({ length: turns }, (_, turn) => {
    const id = `t${turn}`;
    /** @type {Message[]} */
    const messages = [
      { id: `${id}u`, role: "user", content: write.prose(80) },
      {
        id: `${id}c`,
        role: "assistant",
        content: [
          { type: "thinking", thinking: write.prose(60) },
          { type: "toolCall", id, name: "write", arguments: { path: `src/file-${turn}.ts`, content: write.code(30) } },
        ],
        stopReason: "toolUse",
      },
      {
        id: `${id}r`,
        role: "toolResult",
        toolCallId: id,
        toolName: "write",
        content: [{ type: "text", text: write.log(40) }],
        isError: false,
      },
      { id: `${id}a`, role: "assistant", content: [{ type: "text", text: write.prose(80) }], stopReason: "stop" },
    ];
    return messages;
  }).flat();
}

/** @returns {Counter} */
function createTiktokenCounter() {
  const encoder = get_encoding("o200k_base");
  return { countText: (text) => encoder.encode_ordinary(text).length, dispose: () => encoder.free() };
}

/**
 * @param {() => Counter | Promise<Counter>} createCounter
 * @param {(counter: Counter) => void} task
 */
async function milliseconds(createCounter, task) {
  const counter = await createCounter();
  globalThis.gc?.();
  const before = process.cpuUsage();
  task(counter);
  const { user, system } = process.cpuUsage(before);
  counter.dispose();
  return (user + system) / 1000;
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

const messages = conversation(600);
const text = renderTranscript(messages, { resultMaxCharacters: 2000, includeThinking: true });
const counter = await createTokenCounter();
const tokens = counter.countText(text);
counter.dispose();
console.log(`Node ${process.version}: ${messages.length} messages, ${text.length} characters, ${tokens} tokens`);

let isHeld = true;
for (const { counterName, createCounter, rounds, holdsBars } of [
  { counterName: "tiktoken", createCounter: createTiktokenCounter, rounds: 3, holdsBars: true },
  { counterName: "holdfast", createCounter: () => createTokenCounter(), rounds: 9, holdsBars: false },
]) {
  for (const { name, contextWindow, bar } of [
    { name: "one request", contextWindow: 1_400_000, bar: 1.3 },
    { name: "chunked", contextWindow: 128_000, bar: 2.3 },
  ]) {
    const model = { contextWindow, maxOutputTokens: 16_384 };
    const counting = [];
    const planning = [];
    for (let round = 0; round < rounds; round++) {
      counting.push(await milliseconds(createCounter, (fresh) => fresh.countText(text)));
      planning.push(await milliseconds(createCounter, (fresh) => planSummary(messages, { model, counter: fresh })));
    }
    const ratio = median(planning) / median(counting);
    if (holdsBars) isHeld &&= ratio <= bar;
    const bars = holdsBars ? ` (at most ${bar})` : "";
    console.log(
      `${counterName}, ${name.padEnd(12)} counting ${median(counting).toFixed(0)} ms  ` +
        `planning ${median(planning).toFixed(0)} ms  ratio ${ratio.toFixed(2)}${bars}`,
    );
  }
}
process.exitCode = isHeld ? 0 : 1;

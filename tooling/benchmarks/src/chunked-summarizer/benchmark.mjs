// What rendering and planning a summary of about 1 M tokens costs, as a multiple of counting the same text once: at most
// 1.3 where one request holds it, 2.3 where it is chunked. The bars are held with this project's own counter, beside which
// rendering weighs most; tiktoken stands beside it. Both sides use one counter and are run a few times before they are
// measured, in turns; times are of the processor. Reads the built packages: build first. Exits with 1 when a bar is not
// held.
import { planSummary } from "@holdfast/chunked-summarizer";
import { renderTranscript } from "@holdfast/message-schema";
import { createTokenCounter } from "@holdfast/token-counter";
import { get_encoding } from "tiktoken";

/** @typedef {{ countText(text: string): number }} Counter */

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

/**
 * @param {() => void} task
 */
function milliseconds(task) {
  // So that neither side clears up what the other left.
  globalThis.gc?.();
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

const messages = conversation(600);
const text = renderTranscript(messages, { resultMaxCharacters: 2000, includeThinking: true });
const holdfast = await createTokenCounter();
const encoder = get_encoding("o200k_base");
/** @type {Counter} */
const tiktoken = { countText: (part) => encoder.encode_ordinary(part).length };
const tokens = holdfast.countText(text);
console.log(`Node ${process.version}: ${messages.length} messages, ${text.length} characters, ${tokens} tokens`);

let isHeld = true;
for (const { counterName, counter, warmUps, rounds } of [
  { counterName: "holdfast", counter: holdfast, warmUps: 10, rounds: 21 },
  { counterName: "tiktoken", counter: tiktoken, warmUps: 1, rounds: 5 },
]) {
  for (const { name, contextWindow, bar } of [
    { name: "one request", contextWindow: 1_400_000, bar: 1.3 },
    { name: "chunked", contextWindow: 128_000, bar: 2.3 },
  ]) {
    const model = { contextWindow, maxOutputTokens: 16_384 };
    const counting = [];
    const planning = [];
    for (let round = 0; round < warmUps + rounds; round++) {
      counting.push(milliseconds(() => counter.countText(text)));
      planning.push(milliseconds(() => planSummary(messages, { model, counter })));
    }
    const countingMs = median(counting.slice(warmUps));
    const planningMs = median(planning.slice(warmUps));
    const ratio = planningMs / countingMs;
    isHeld &&= ratio <= bar;
    console.log(
      `${counterName}, ${name.padEnd(12)} counting ${countingMs.toFixed(0)} ms  ` +
        `planning ${planningMs.toFixed(0)} ms  ratio ${ratio.toFixed(2)} (at most ${bar})`,
    );
  }
}
encoder.free();
process.exitCode = isHeld ? 0 : 1;

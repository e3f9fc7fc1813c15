// One way of counting in a process of its own: what it prints is JSON.
import { shape } from "@holdfast/message-schema";
import { selectTailWindow } from "@holdfast/tail-window";
import { createTokenCounter } from "@holdfast/token-counter";
import { readConversation } from "./conversation.mjs";
import { readCorpora } from "./corpora.mjs";
import { pathologicalTexts, sharedPathologicalTexts, wholeForTiktoken } from "./pathological-texts.mjs";
import { rivals } from "./rivals.mjs";

const PASSES = 5;
const WINDOW_TOKENS = 64_000;
/** Direct tiktoken takes a fifth of a second for an unbroken run of this length, and half a minute for ten of it. */
const REFERENCE_UNITS = 10_000;

/** @typedef {{ rival: string, encoding: import("@holdfast/token-counter").Encoding, input: string }} Question */

/** In processor time, which other work on the machine changes little. */
function startTimer() {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    // The clock counts whole microseconds.
    return Math.max(1, user + system) / 1000;
  };
}

/**
 * @template T
 * @param {() => T} work
 */
function timed(work) {
  const elapsedMs = startTimer();
  const result = work();
  return { ms: elapsedMs(), result };
}

function usedBytes() {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** @param {Question} question */
async function load({ rival, encoding }) {
  const before = usedBytes();
  const elapsedMs = startTimer();
  const create = rivals[rival];
  if (!create) throw new Error(`no way of counting is named ${rival}`);
  const count = await create(encoding);
  count("hello world");
  const firstUseMs = elapsedMs();
  const after = usedBytes();
  return { count, firstUseMs, heapMB: (after.heap - before.heap) / 1e6, rssMB: (after.rss - before.rss) / 1e6 };
}

/**
 * First use, then every corpus: the first pass and the best of all.
 *
 * @param {Question} question
 */
async function measureThroughput(question) {
  const { count, ...firstUse } = await load(question);
  const kinds = Object.entries(readCorpora()).map(([kind, text]) => {
    const bytes = Buffer.byteLength(text);
    const first = timed(() => count(text));
    const later = Array.from({ length: PASSES - 1 }, () => timed(() => count(text)).ms);
    const best = Math.min(first.ms, ...later);
    return { kind, bytes, tokens: first.result, first: bytes / 1000 / first.ms, best: bytes / 1000 / best };
  });
  return { ...firstUse, kinds };
}

/** @param {Question} question */
async function measurePathological(question) {
  const { count } = await load(question);
  return Object.entries(pathologicalTexts).map(([kind, make]) => {
    const text = make();
    const { ms, result } = timed(() => count(text));
    return { kind, ms, tokens: result };
  });
}

/**
 * The beginnings of the same texts, and those that tiktoken can count whole.
 *
 * @param {Question} question
 */
async function countPathological(question) {
  const { count } = await load(question);
  return Object.entries(pathologicalTexts).map(([kind, make]) => {
    const text = make();
    const isWhole = wholeForTiktoken.includes(kind);
    return { kind, isWhole, tokens: count(isWhole ? text : text.slice(0, REFERENCE_UNITS)) };
  });
}

/** @param {Question} question */
async function measureOne(question) {
  const { count } = await load(question);
  const text = sharedPathologicalTexts[question.input]?.() ?? "";
  const { ms, result } = timed(() => count(text));
  return { ms, tokens: result };
}

/**
 * A conversation of 10,000 messages: counted, counted again with one more, and a window selected cold and warm. `null`
 * where no sessions are laid out.
 *
 * @param {Question} question
 */
async function measureConversation({ encoding }) {
  const messages = await readConversation(10_000);
  if (messages === undefined) return null;

  const fresh = await createTokenCounter({ encoding });
  /** @param {number} budgetTokens */
  const select = (budgetTokens) =>
    timed(() => selectTailWindow(messages, { budgetTokens, countTokens: fresh.countMessage, shape }));
  const cold = select(WINDOW_TOKENS);
  // The second time still compiles the selector.
  select(WINDOW_TOKENS);
  const warm = select(WINDOW_TOKENS);
  const wholeCold = select(Number.POSITIVE_INFINITY);
  const wholeWarm = select(Number.POSITIVE_INFINITY);

  const counter = await createTokenCounter({ encoding });
  const first = timed(() => counter.countMessages(messages));
  // Five turns of one new message each; the middle one, because a turn of a millisecond may meet a garbage collection.
  const recounts = Array.from({ length: 5 }, (_, turn) => {
    const added = /** @type {const} */ ({ id: `new${turn}`, role: "user", content: `Now the same for file ${turn}.` });
    return timed(() => counter.countMessages([...messages, added])).ms;
  }).sort((one, other) => one - other);
  return {
    messages: messages.length,
    tokens: first.result,
    firstMs: first.ms,
    againMs: recounts[2] ?? Number.NaN,
    windowMessages: cold.result.messages.length,
    coldMs: cold.ms,
    warmMs: warm.ms,
    wholeColdMs: wholeCold.ms,
    wholeWarmMs: wholeWarm.ms,
  };
}

/** @typedef {Awaited<ReturnType<typeof measureThroughput>>} Throughput */
/** @typedef {Awaited<ReturnType<typeof measurePathological>>} Pathological */
/** @typedef {Awaited<ReturnType<typeof countPathological>>} PathologicalCounts */
/** @typedef {Awaited<ReturnType<typeof measureOne>>} One */
/** @typedef {Awaited<ReturnType<typeof measureConversation>>} Conversation */

/** @type {Readonly<Record<string, (question: Question) => Promise<unknown>>>} */
const tasks = {
  throughput: measureThroughput,
  pathological: measurePathological,
  "pathological-counts": countPathological,
  one: measureOne,
  conversation: measureConversation,
};

const [task = "", rival = "", encoding = "", input = ""] = process.argv.slice(2);
if (encoding !== "o200k_base" && encoding !== "cl100k_base") throw new Error(`unknown encoding: ${encoding}`);
console.log(JSON.stringify(await tasks[task]?.({ rival, encoding, input })));

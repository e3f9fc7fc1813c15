// Times the selector beside its rivals on the same conversation in one run, says what each gets wrong, and holds the
// selector to its bars. Reads the built package.
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { printTable } from "../token-counter/print-table.mjs";
import { countTokens, createConversation } from "./conversation.mjs";
import { rivals } from "./rivals.mjs";

/** @import { BaseMessage } from "@langchain/core/messages" */

const BUDGET_TOKENS = 20_000;
const SIZES = [400, 1_600, 4_000, 10_000, 100_000];
const ROUNDS = 7;
const SHORTEST_MS = 10;

/** @param {readonly number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds of processor time, which other work on the machine changes little, of one call. @param {() => unknown} select */
async function timeOne(select) {
  const started = process.cpuUsage();
  let calls = 0;
  let spentMs = 0;
  do {
    await select();
    calls += 1;
    const { user, system } = process.cpuUsage(started);
    spentMs = (user + system) / 1_000;
  } while (spentMs < SHORTEST_MS);
  return spentMs / calls;
}

/** Medians by size and rival. All take turns, so that a noisy moment is nobody's alone. */
async function timeAll() {
  const contests = SIZES.flatMap((size) => {
    const messages = createConversation(size);
    return rivals
      .filter(({ largest }) => size <= largest)
      .map((rival) => ({
        size,
        name: rival.name,
        select: rival.prepare(messages, BUDGET_TOKENS),
        times: /** @type {number[]} */ ([]),
      }));
  });
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { select, times } of contests) {
      // What takes seconds needs no more rounds to be told from what does not.
      if (round > 2 && (times[0] ?? 0) > 300) continue;
      const ms = await timeOne(select);
      if (round > 0) times.push(ms);
    }
  }
  return contests.map(({ size, name, times }) => ({ size, name, ms: median(times) }));
}

/** What a provider or a user would object to. @param {readonly BaseMessage[]} all @param {readonly BaseMessage[]} kept @param {number} budget */
function judge(all, kept, budget) {
  const open = new Set();
  let unpaired = 0;
  for (const message of kept) {
    if (message instanceof AIMessage) for (const { id } of message.tool_calls ?? []) open.add(id);
    if (message instanceof ToolMessage && !open.delete(message.tool_call_id)) unpaired += 1;
  }
  const newest = all.at(-1);
  const lastUser = all.findLast((message) => message instanceof HumanMessage);
  return {
    unpaired: unpaired + open.size > 0,
    over: Math.max(0, kept.reduce((sum, message) => sum + countTokens(message), 0) - budget),
    empty: kept.length === 0,
    newest: kept.some((message) => message.id === newest?.id),
    lastUser: kept.some((message) => message.id === lastUser?.id),
  };
}

/** The same questions for many budgets, and for a conversation whose newest message alone exceeds them. */
async function judgeAll() {
  const messages = createConversation(400);
  const oversized = [...messages, new HumanMessage("continue"), new AIMessage("long ".repeat(40_000))];
  oversized.forEach((message, index) => {
    message.id = `m${index}`;
  });
  const budgets = Array.from({ length: 60 }, (_, n) => 500 + n * 331);
  return Promise.all(
    rivals.map(async (rival) => {
      /** @type {ReturnType<typeof judge>[]} */
      const verdicts = [];
      for (const list of [messages, oversized]) {
        for (const budget of budgets) {
          const kept = await rival.prepare(list, budget)();
          verdicts.push(judge(list, rival.read?.(kept, list) ?? /** @type {BaseMessage[]} */ (kept), budget));
        }
      }
      const share = (/** @type {(verdict: ReturnType<typeof judge>) => boolean} */ is) =>
        `${Math.round((100 * verdicts.filter(is).length) / verdicts.length)} %`;
      return {
        name: rival.name,
        verdicts,
        cells: [
          share(({ unpaired }) => unpaired),
          share(({ over }) => over > 0),
          String(Math.max(...verdicts.map(({ over }) => over))),
          share(({ empty }) => empty),
          share(({ newest }) => newest),
          share(({ lastUser }) => lastUser),
        ],
      };
    }),
  );
}

const measured = await timeAll();
const at = (/** @type {number} */ size, /** @type {string} */ name) =>
  measured.find((one) => one.size === size && one.name === name)?.ms ?? Number.NaN;

printTable(
  `median processor time of one selection, budget ${BUDGET_TOKENS} tokens, characters / 4 everywhere (ms)`,
  SIZES.map((size) => `${size}`),
  rivals.map(({ name }) => ({
    name,
    cells: SIZES.map((size) => (Number.isNaN(at(size, name)) ? "-" : at(size, name).toFixed(3))),
  })),
);

const judged = await judgeAll();
printTable(
  "60 budgets from 500 to 20,029 tokens on 400 messages, and again with a newest message of 50,000 tokens",
  ["unpaired", "over budget", "most over", "empty", "newest kept", "last user kept"],
  judged,
);

const own = "holdfast selectTailWindow";
const ownVerdicts = judged.filter(({ name }) => name.startsWith("holdfast")).flatMap(({ verdicts }) => verdicts);
const bars = [
  {
    bar: "100,000 messages take at most 1.5 times the time of 10,000",
    value: at(100_000, own) / at(10_000, own),
    holds: (/** @type {number} */ value) => value <= 1.5,
  },
  {
    bar: "at 4,000 messages at least 100 times faster than trimMessages",
    value: at(4_000, "@langchain/core trimMessages") / at(4_000, own),
    holds: (/** @type {number} */ value) => value >= 100,
  },
  {
    bar: "at 4,000 messages at least 5 times faster than ClearToolUsesEdit",
    value: at(4_000, "langchain ClearToolUsesEdit") / at(4_000, own),
    holds: (/** @type {number} */ value) => value >= 5,
  },
  {
    bar: "windows with an unpaired call or result",
    value: ownVerdicts.filter(({ unpaired }) => unpaired).length,
    holds: (/** @type {number} */ value) => value === 0,
  },
  {
    bar: "windows over budget",
    value: ownVerdicts.filter(({ over }) => over > 0).length,
    holds: (/** @type {number} */ value) => value === 0,
  },
  {
    bar: "windows without the newest message",
    value: ownVerdicts.filter(({ newest }) => !newest).length,
    holds: (/** @type {number} */ value) => value === 0,
  },
];
printTable(
  "bars",
  ["measured", "holds"],
  bars.map(({ bar, value, holds }) => ({ name: bar, cells: [value.toFixed(2), holds(value) ? "yes" : "NO"] })),
);
if (!bars.every(({ value, holds }) => holds(value))) process.exitCode = 1;

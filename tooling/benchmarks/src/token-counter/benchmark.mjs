// Counts the same texts with every tokenizer, each in a process of its own, and holds this package's counter to its
// bars. Reads the built packages. Options: --encoding NAME, --quick (leaves out what makes the others hang).
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { checkBars } from "./bars.mjs";
import { sharedPathologicalTexts } from "./pathological-texts.mjs";
import { printTable } from "./print-table.mjs";

/** @import { Conversation, One, Pathological, PathologicalCounts, Throughput } from "./measure.mjs" */

const OTHERS_TIMEOUT_MS = 30_000;
const exactNames = ["holdfast", "tiktoken", "gpt-tokenizer", "js-tiktoken"];
const allNames = [...exactNames, "characters / 4", "holdfast estimate"];

const { values: options } = parseArgs({
  options: { encoding: { type: "string", default: "o200k_base" }, quick: { type: "boolean", default: false } },
});
const run = promisify(execFile);
const measureFile = fileURLToPath(new URL("./measure.mjs", import.meta.url));

/**
 * @param {string} task
 * @param {string} rival
 * @param {{ readonly input?: string, readonly timeoutMs?: number }} [settings]
 */
async function measure(task, rival, { input = "", timeoutMs = 0 } = {}) {
  const command = ["--expose-gc", measureFile, task, rival, options.encoding, input];
  const { stdout } = await run(process.execPath, command, { timeout: timeoutMs });
  return JSON.parse(stdout);
}

/**
 * @param {string} name
 * @param {string} input
 */
async function askOne(name, input) {
  try {
    /** @type {One} */
    const { ms } = await measure("one", name, { input, timeoutMs: OTHERS_TIMEOUT_MS });
    return ms.toFixed(0);
  } catch (error) {
    return error instanceof Error && "killed" in error && error.killed ? "ended" : "threw";
  }
}

console.log(`${options.encoding}, Node ${process.version}, times of the processor`);

/** @type {Record<string, Throughput>} */
const throughput = {};
for (const name of allNames) throughput[name] = await measure("throughput", name);
const measured = Object.entries(throughput);
const reference = throughput.tiktoken?.kinds ?? [];
const kindNames = reference.map(({ kind }) => kind);

/** @param {number} speed */
const speedCell = (speed) => (speed < 1000 ? speed.toFixed(1) : "—");
printTable(
  "MB of UTF-8 a second: first pass / best of five",
  kindNames,
  measured.map(([name, { kinds }]) => ({
    name,
    cells: kinds.map(({ first, best }) => `${speedCell(first)} / ${speedCell(best)}`),
  })),
);
printTable(
  "Tokens, or how far off tiktoken",
  kindNames,
  measured.map(([name, { kinds }]) => ({
    name,
    cells: kinds.map(({ tokens }, index) => {
      const exact = reference[index]?.tokens ?? 0;
      return tokens === exact ? String(tokens) : `${((tokens / exact - 1) * 100).toFixed(3)} %`;
    }),
  })),
);
printTable(
  "First use",
  ["ms", "MB of heap and arrays", "MB resident"],
  measured.map(([name, { firstUseMs, heapMB, rssMB }]) => ({
    name,
    cells: [firstUseMs.toFixed(0), heapMB.toFixed(1), rssMB.toFixed(1)],
  })),
);

/** @type {Pathological} */
const pathological = await measure("pathological", "holdfast");
printTable(
  "1 MB without what tokenizers hope for, holdfast",
  ["ms", "tokens"],
  pathological.map(({ kind, ms, tokens }) => ({ name: kind, cells: [ms.toFixed(0), String(tokens)] })),
);

/** @type {PathologicalCounts} */
const counts = await measure("pathological-counts", "holdfast");
/** @type {PathologicalCounts} */
const referenceCounts = await measure("pathological-counts", "tiktoken");
printTable(
  "The same, whole or as far as tiktoken gets, tokens",
  ["holdfast", "tiktoken", "of it"],
  counts.map(({ kind, isWhole, tokens }, index) => ({
    name: kind,
    cells: [String(tokens), String(referenceCounts[index]?.tokens), isWhole ? "all" : "the beginning"],
  })),
);

if (!options.quick) {
  const rows = [];
  for (const input of Object.keys(sharedPathologicalTexts)) {
    const cells = [];
    for (const name of exactNames) cells.push(await askOne(name, input));
    rows.push({ name: input, cells });
  }
  printTable(`The same to all, ms; ended after ${OTHERS_TIMEOUT_MS / 1000} s`, exactNames, rows);
}

/** @type {Conversation} */
const conversation = await measure("conversation", "holdfast");
if (conversation) {
  const { messages, tokens, windowMessages, firstMs, againMs, coldMs, warmMs, wholeColdMs, wholeWarmMs } = conversation;
  printTable(
    `${messages} recorded messages, ${tokens} tokens, ms`,
    ["cold", "warm"],
    [
      { name: "counted; again with one more", cells: [firstMs.toFixed(2), againMs.toFixed(2)] },
      { name: `window of 64,000 selected (${windowMessages})`, cells: [coldMs.toFixed(2), warmMs.toFixed(2)] },
      { name: "all selected", cells: [wholeColdMs.toFixed(2), wholeWarmMs.toFixed(2)] },
    ],
  );
} else {
  console.log("\nno recorded sessions beside the repository: no conversation was counted");
}

const bars = checkBars({ throughput, pathological, counts, referenceCounts, conversation });
console.log("\nBars");
for (const { text, met } of bars) console.log(`  ${met ? "met   " : "MISSED"} ${text}`);
const missed = bars.filter(({ met }) => !met).length;
if (missed > 0) {
  console.error(`${missed} of ${bars.length} bars missed`);
  process.exitCode = 1;
}

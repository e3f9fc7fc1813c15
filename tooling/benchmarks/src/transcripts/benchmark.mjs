// Reading sessions beside `JSON.parse` of the same lines, in processor time, which other work on the machine changes
// little. The line-based sessions above 200 kB of the directory that is named, or of the one beside the repository.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTranscript } from "@holdfast/transcripts";

const rounds = 45;
const warmUpRounds = 15;
const smallestBytes = 200_000;
const recorded = fileURLToPath(new URL("../../../../../shared/sessions/open", import.meta.url));
const directory = process.argv[2] ?? recorded;
if (!existsSync(directory)) throw new Error(`no directory ${directory}: name one with .jsonl files`);

const files = readdirSync(directory)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => ({ name, bytes: readFileSync(join(directory, name)) }))
  .filter(({ bytes }) => bytes.length > smallestBytes);

const rows = [];
for (const { name, bytes } of files) rows.push({ name, megabytes: bytes.length / 1e6, ...(await measure(bytes)) });
rows.sort((a, b) => a.ratio - b.ratio);

console.log("| session | MB | JSON.parse MB/s | readTranscript MB/s | ratio |");
console.log("| --- | ---: | ---: | ---: | ---: |");
for (const { name, megabytes, parseMs, readMs, ratio } of rows) {
  /** @param {number} ms */
  const perSecond = (ms) => Math.round((megabytes / ms) * 1000);
  console.log(
    `| ${name} | ${megabytes.toFixed(2)} | ${perSecond(parseMs)} | ${perSecond(readMs)} | ${ratio.toFixed(2)} |`,
  );
}
console.log(`\nmedian ratio: ${median(rows.map((row) => row.ratio)).toFixed(2)} (promised: at least 0.50)`);

/**
 * Both in turns, so that a busy moment of the machine meets both.
 *
 * @param {Buffer} bytes
 */
async function measure(bytes) {
  const lines = bytes.toString("utf8").split("\n");
  /** @type {number[]} */
  const parseTimes = [];
  /** @type {number[]} */
  const readTimes = [];
  for (let round = 0; round < rounds; round += 1) {
    parseTimes.push(await timed(() => parseLines(lines)));
    readTimes.push(await timed(() => readTranscript(bytes)));
  }
  const parseMs = median(parseTimes.slice(warmUpRounds));
  const readMs = median(readTimes.slice(warmUpRounds));
  return { parseMs, readMs, ratio: parseMs / readMs };
}

/** @param {readonly string[]} lines */
function parseLines(lines) {
  const values = [];
  for (const line of lines) {
    try {
      values.push(JSON.parse(line));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return values;
}

/** @param {() => unknown} work */
async function timed(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

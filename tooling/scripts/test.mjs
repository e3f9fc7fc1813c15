// `npm test`: every check of the repository, each to its end even when an earlier one failed. The last line adds up the
// checks and vitest's own counts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./lib/ensure-ready.mjs";
import { root } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";
import { closingLine, skippedTests, sumTallies, tallyTests } from "./lib/tally.mjs";

const scratch = mkdtempSync(join(tmpdir(), "holdfast-test-"));
/** @type {import("./lib/tally.mjs").Tally[]} */
const tallies = [];

try {
  if (await check("install", () => ensureInstalled(print))) {
    await check("lint", tool("biome", "ci", "--error-on-warnings", "--diagnostic-level=warn", "--colors=off"));
    await check("types", tool("tsc", "-p", "tsconfig.json"));
    await check("arrows", tool("depcruise", "--config", ".dependency-cruiser.mjs", "packages", "apps", "tooling"));
    await check("unused code", tool("knip", "--no-progress", "--no-config-hints"));
    await check("workspace", tool("sherif", "--fail-on-warnings"));
    await check("exports", script("scripts/check-exports.mjs"));
    await check("build", () => ensureBuilt(() => {}));
    await check("npm start", script("scripts/check-start.mjs"));
    if (await check("pack and install", script("consumers/stage.mjs"))) {
      await check("packed manifests", script("consumers/check-packages.mjs"));
      await check("consumer types", script("consumers/check-types.mjs"));
      await check("consumer imports", script("consumers/check-imports.mjs"));
      await check("README snippets", script("consumers/check-readmes.mjs"));
    }
    await runTests();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

const total = sumTallies(tallies);
print(closingLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;

/**
 * @param {string} name
 * @param {() => Promise<{ ok: true } | { ok: false, output: string }>} step
 */
async function check(name, step) {
  const start = performance.now();
  const result = await step();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${result.ok ? "ok  " : "FAIL"}  ${name} (${seconds} s)`);
  if (!result.ok) print(result.output.trimEnd().replace(/^/gm, "      "));
  tallies.push({ passed: result.ok ? 1 : 0, failed: result.ok ? 0 : 1, skipped: 0 });
  return result.ok;
}

/**
 * @param {string} name
 * @param {...string} args
 */
function tool(name, ...args) {
  return () => captured(join(root, "node_modules", ".bin", name), args);
}

/** @param {string} path below tooling/ */
function script(path) {
  return () => captured(process.execPath, [join(root, "tooling", path), scratch]);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<{ ok: true } | { ok: false, output: string }>}
 */
async function captured(command, args) {
  const { code, signal, output } = await run(command, args, { capture: true });
  if (signal !== null) stop(signal);
  return code === 0 ? { ok: true } : { ok: false, output };
}

async function runTests() {
  const path = join(scratch, "vitest.json");
  const vitest = join(root, "node_modules", ".bin", "vitest");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${path}`];
  const { code, signal, output } = await run(vitest, args);
  if (signal !== null) stop(signal);
  if (output !== "") print(output);
  const report = readReport(path);
  for (const name of skippedTests(report)) print(`not run: ${name}`);
  tallies.push(tallyTests(report, code));
}

/**
 * @param {string} path
 * @returns {import("./lib/tally.mjs").VitestReport | undefined} undefined when there is none
 */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // It died before it wrote the report, or while it did.
    return undefined;
  }
}

/** @param {NodeJS.Signals} signal that ended a check: it ends the run */
function stop(signal) {
  rmSync(scratch, { recursive: true, force: true });
  process.kill(process.pid, signal);
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}

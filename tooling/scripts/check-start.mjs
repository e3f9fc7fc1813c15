// Runs `npm start` as a user does: what it prints where, its exit code, and whose directory a path on its line means.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";

const samples = join(root, "apps", "demo-harness", "samples");
const sample = readdirSync(samples).find((name) => name.endsWith(".jsonl")) ?? "";

const demo = await start();
expect("npm start exits 0", demo.code === 0, demo);
expect("npm start prints a report", demo.stdout.trim() !== "", demo);

const json = await start("inspect", sample, "--json");
expect("npm start -- inspect FILE --json exits 0", json.code === 0, json);
expect("its output is one JSON document", isJson(json.stdout), json);
expect("and nothing beside it", json.stderr === "", json);

const wrong = await start("inspect", "no-such-file.jsonl");
expect("a missing file exits 2", wrong.code === 2, wrong);
expect("and is one line on stderr", /^.*no-such-file\.jsonl.*\n$/.test(wrong.stderr) && wrong.stdout === "", wrong);

/**
 * @typedef {{ code: number, stdout: string, stderr: string }} Started
 * @param {...string} args
 * @returns {Promise<Started>}
 */
async function start(...args) {
  // What npm hands down from `npm test` is not what a user's shell has.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/.test(name)));
  const npmArgs = ["--prefix", root, "start", ...(args.length > 0 ? ["--", ...args] : [])];
  return run("npm", npmArgs, { capture: true, cwd: samples, env });
}

/** @param {string} text */
function isJson(text) {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    // Not a document, or more than one.
    return false;
  }
}

/**
 * @param {string} what
 * @param {boolean} holds
 * @param {Started} started
 */
function expect(what, holds, { code, stdout, stderr }) {
  if (holds) return;
  process.stderr.write(
    `not so: ${what}. It ended with ${code}.\nstdout: ${stdout.slice(0, 2000)}\nstderr: ${stderr}\n`,
  );
  process.exitCode = 1;
}

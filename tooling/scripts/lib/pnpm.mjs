import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { run } from "./run.mjs";

/**
 * Runs the pnpm that package.json pins, which npm fetches when it is not in its cache, and captures what it prints.
 * Tools that pnpm starts find the same pnpm on their path.
 *
 * @param {readonly string[]} args
 */
export function runPnpm(args) {
  const pinned = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager;
  return runNpm(["exec", "--yes", "--", pinned, ...args]);
}

/**
 * Runs npm and captures what it prints, errors included: the silence of this repository's .npmrc is for `npm start`.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string }} [options]
 */
export function runNpm(args, options = {}) {
  // Under npm its own program is known, and no shell is needed on any system.
  const npm = process.env.npm_execpath;
  const env = { ...process.env, npm_config_loglevel: "error", TURBO_TELEMETRY_DISABLED: "1" };
  return npm?.endsWith("npm-cli.js")
    ? run(process.execPath, [npm, ...args], { capture: true, env, ...options })
    : run("npm", args, { capture: true, env, ...options });
}

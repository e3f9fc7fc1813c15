import { existsSync } from "node:fs";
import { join } from "node:path";
import { runPnpm } from "./pnpm.mjs";
import { root } from "./root.mjs";
import { fingerprintContents, fingerprintTimes, isStamped, writeStamp } from "./stamp.mjs";
import { listPackages } from "./workspace.mjs";

/** @typedef {{ ok: true } | { ok: false, output: string }} StepResult */

/**
 * Installs what the lockfile says unless that was done in this very state.
 *
 * @param {(line: string) => void} announce told before anything that takes time
 * @returns {Promise<StepResult>}
 */
export async function ensureInstalled(announce) {
  const packages = listPackages(["packages", "apps", "tooling"]);
  const manifests = packages.map(({ directory }) => `${directory}/package.json`);
  const fingerprint = fingerprintContents(["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...manifests]);
  const isLinked = listPackages().every(({ directory }) => existsSync(join(root, directory, "node_modules")));
  if (isLinked && isStamped("installed", fingerprint)) return { ok: true };
  announce("Installing dependencies (the first time this takes about a minute) …");
  const { code, output } = await runPnpm(["install", "--frozen-lockfile"]);
  if (code !== 0) return { ok: false, output };
  writeStamp("installed", fingerprint);
  return { ok: true };
}

/**
 * Builds every package unless that was done in this very state. Turbo decides which of them have changed.
 *
 * @param {(line: string) => void} announce told before anything that takes time
 * @returns {Promise<StepResult>}
 */
export async function ensureBuilt(announce) {
  const packages = listPackages().map(({ directory }) => directory);
  const configs = packages.flatMap((directory) =>
    ["package.json", "tsup.config.ts", "tsconfig.json"].map((name) => `${directory}/${name}`),
  );
  const shared = ["pnpm-lock.yaml", "turbo.json", "tsconfig.base.json", "tooling/tsup-preset/index.js"];
  const fingerprint = [
    fingerprintContents([...shared, ...configs]),
    fingerprintTimes(
      packages.map((directory) => `${directory}/src`),
      (path) => !/\.test(-d)?\.ts$/.test(path),
    ),
  ].join("\n");
  const isThere = packages.every((directory) => existsSync(join(root, directory, "dist", "index.js")));
  if (isThere && isStamped("built", fingerprint)) return { ok: true };
  announce("Building …");
  const { code, output } = await runPnpm(["exec", "turbo", "run", "build", "--output-logs=errors-only"]);
  if (code !== 0) return { ok: false, output };
  writeStamp("built", fingerprint);
  return { ok: true };
}

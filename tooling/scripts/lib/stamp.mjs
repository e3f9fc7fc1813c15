import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const stampDir = join(root, "node_modules", ".cache", "holdfast");

/**
 * Whether `name` was stamped with this fingerprint, that is: what it stands for was done in this very state.
 *
 * @param {string} name
 * @param {string} fingerprint
 */
export function isStamped(name, fingerprint) {
  const path = join(stampDir, name);
  return existsSync(path) && readFileSync(path, "utf8") === fingerprint;
}

/**
 * @param {string} name
 * @param {string} fingerprint
 */
export function writeStamp(name, fingerprint) {
  mkdirSync(stampDir, { recursive: true });
  writeFileSync(join(stampDir, name), fingerprint);
}

/**
 * One text for the contents of files, paths relative to the repository. A missing file is a state too.
 *
 * @param {readonly string[]} paths
 */
export function fingerprintContents(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const file = join(root, path);
    hash.update(`${path}\0`).update(existsSync(file) ? readFileSync(file) : "missing");
  }
  return hash.digest("hex");
}

/**
 * One text for the state of every file below `directories` that `accepts` takes, by size and time of change: a few
 * hundred files cost some milliseconds.
 *
 * @param {readonly string[]} directories
 * @param {(path: string) => boolean} accepts
 */
export function fingerprintTimes(directories, accepts) {
  const hash = createHash("sha256");
  for (const directory of directories) {
    for (const path of readdirSync(join(root, directory), { recursive: true, encoding: "utf8" }).sort()) {
      if (!accepts(path)) continue;
      const { size, mtimeMs } = statSync(join(root, directory, path));
      hash.update(`${directory}/${path}\0${size}\0${mtimeMs}\0`);
    }
  }
  return hash.digest("hex");
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {Record<string, unknown>} [exports]
 * @property {Record<string, string>} [bin]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 */

/** @typedef {{ directory: string, manifest: Manifest }} WorkspacePackage */

/**
 * The packages directly in these folders, in the order of their paths, which are relative to the repository.
 *
 * @param {readonly string[]} [folders]
 * @returns {WorkspacePackage[]}
 */
export function listPackages(folders = ["packages", "apps"]) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .sort()
      .map((name) => `${folder}/${name}`)
      .filter((directory) => existsSync(join(root, directory, "package.json")))
      .map((directory) => ({
        directory,
        manifest: JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")),
      })),
  );
}

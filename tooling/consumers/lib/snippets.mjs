import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/root.mjs";
import { listPackages } from "../../scripts/lib/workspace.mjs";

/**
 * The first TypeScript block of every package's README, and of those READMEs that need none but have one: a command's and
 * the repository's own. `code` is undefined where a library shows no such block.
 *
 * @returns {{ readme: string, file: string, code: string | undefined }[]}
 */
export function readSnippets() {
  const ofPackages = listPackages().map(({ directory, manifest }) => ({
    ...readSnippet(`${directory}/README.md`),
    isNeeded: manifest.bin === undefined,
  }));
  return [...ofPackages, { ...readSnippet("README.md"), isNeeded: false }].filter(
    ({ code, isNeeded }) => isNeeded || code !== undefined,
  );
}

/** @param {string} readme */
function readSnippet(readme) {
  const path = join(root, readme);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const file = `${readme.replaceAll("/", "-").replace(".md", "")}.ts`;
  return { readme, file, code: firstTypeScriptBlock(text) };
}

/**
 * @param {string} markdown
 * @returns {string | undefined}
 */
export function firstTypeScriptBlock(markdown) {
  return /^```ts[^\S\n]*\n(.*?)^```/ms.exec(markdown)?.[1];
}

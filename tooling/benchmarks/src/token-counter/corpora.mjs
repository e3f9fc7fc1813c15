import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CORPUS_BYTES = 1_000_000;
const store = fileURLToPath(new URL("../../../../node_modules/.pnpm", import.meta.url));

/**
 * Texts of each kind, 1 MB of UTF-8 (Chinese: what there is, about 0.6 MB), out of the pinned dependencies, so that they
 * are the same on every machine.
 */
export function readCorpora() {
  return {
    prose: join1MB(files("ai@6", "docs", /\.mdx$/).map(withoutCode)),
    typescript: join1MB([...files("ai@6", "src", /\.ts$/), ...files("zod@4", "src/v4/core", /\.ts$/)]),
    json: join1MB(packageRoots("").flatMap((root) => readIfThere(join(root, "package.json")))),
    chinese: join1MB(["zh-cn", "zh-tw"].flatMap((language) => localizedMessages(language))),
    base64: base64Text(CORPUS_BYTES),
    minified: join1MB(packageRoots("").flatMap((root) => filesIn(root, /\.min\.js$/))),
  };
}

/** @param {readonly string[]} texts */
function join1MB(texts) {
  return Buffer.from(texts.join("\n")).subarray(0, CORPUS_BYTES).toString();
}

/**
 * Folders of the installed packages whose `name@version` begins with `prefix`, in the order of their names.
 *
 * @param {string} prefix
 */
function packageRoots(prefix) {
  return readdirSync(store)
    .filter((entry) => entry.startsWith(prefix) && entry.includes("@", 1))
    .sort()
    .map((entry) => join(store, entry, "node_modules", entry.slice(0, entry.indexOf("@", 1)).replace("+", "/")));
}

/**
 * @param {string} prefix
 * @param {string} folder
 * @param {RegExp} pattern
 */
function files(prefix, folder, pattern) {
  return packageRoots(prefix).flatMap((root) => filesIn(join(root, folder), pattern));
}

/**
 * @param {string} folder
 * @param {RegExp} pattern
 */
function filesIn(folder, pattern) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => pattern.test(name));
  return names.sort().flatMap((name) => readIfThere(join(folder, name)));
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? [readFileSync(path, "utf8")] : [];
}

/** @param {string} markdown */
function withoutCode(markdown) {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, "").replace(/^---[\s\S]*?^---$/m, "");
}

/** @param {string} language */
function localizedMessages(language) {
  return files("typescript@5.9", `lib/${language}`, /\.json$/).map((json) =>
    Object.values(JSON.parse(json)).join("\n"),
  );
}

/**
 * Without a break, and the same at every call.
 *
 * @param {number} length
 */
export function base64Text(length) {
  let text = "";
  for (let block = 0; text.length < length; block++) {
    text += createHash("sha512").update(`block ${block}`).digest("base64").slice(0, 80);
  }
  return text.slice(0, length);
}

/**
 * A scrambled text of `alphabet`, the same at every call.
 *
 * @param {string} alphabet
 * @param {number} length
 */
export function scrambledText(alphabet, length) {
  let text = "";
  for (let block = 0; text.length < length; block++) {
    for (const byte of createHash("sha512").update(`letters ${block}`).digest())
      text += alphabet[byte % alphabet.length];
  }
  return text.slice(0, length);
}

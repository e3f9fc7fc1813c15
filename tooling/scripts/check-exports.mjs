// Holds the rules of a package's face: every file directly in src/ is an export and every export such a file, with the
// conditions in one order, and the packed files are the same few for all.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/root.mjs";
import { listPackages } from "./lib/workspace.mjs";

for (const { directory, manifest } of listPackages()) {
  const names = readdirSync(join(root, directory, "src"), { withFileTypes: true })
    .filter((file) => file.isFile() && /^[^.]+\.ts$/.test(file.name))
    .map((file) => file.name.replace(".ts", ""));
  const commands = Object.values(manifest.bin ?? {}).map((path) => path.replace("./dist/", "").replace(".js", ""));
  const exported = names.filter((name) => !commands.includes(name));
  expectSame(`${directory}: the files in src/`, exported, Object.keys(manifest.exports ?? {}).map(nameOfKey));
  for (const [key, conditions] of Object.entries(manifest.exports ?? {})) {
    expectSame(
      `${directory}: exports["${key}"]`,
      JSON.stringify(conditions),
      JSON.stringify(conditionsOf(nameOfKey(key))),
    );
  }
  for (const file of ["README.md", "tsup.config.ts", "tsconfig.json"]) {
    if (!existsSync(join(root, directory, file))) fail(`${directory}: there is no ${file}`);
  }
}

/** @param {string} key */
function nameOfKey(key) {
  return key === "." ? "index" : key.replace("./", "");
}

/** @param {string} name */
function conditionsOf(name) {
  return {
    "@holdfast/source": `./src/${name}.ts`,
    import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  };
}

/**
 * @param {string} what
 * @param {string | string[]} found
 * @param {string | string[]} expected
 */
function expectSame(what, found, expected) {
  const [left, right] = [found, expected].map((value) =>
    typeof value === "string" ? value : value.toSorted().join(" "),
  );
  if (left !== right) fail(`${what}: found ${left}, expected ${right}`);
}

/** @param {string} line */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

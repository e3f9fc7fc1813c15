// check-imports.mjs DIRECTORY: imports every export of every staged package in a Node process of its own.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "../scripts/lib/run.mjs";

const stage = resolve(process.argv[2] ?? "");
/** @type {string[]} */
const imports = JSON.parse(readFileSync(join(stage, "imports.json"), "utf8"));

for (const name of imports) {
  const program = `await import(${JSON.stringify(name)})`;
  const result = await run(process.execPath, ["--input-type=module", "--eval", program], { capture: true, cwd: stage });
  if (result.code === 0 && result.output === "") continue;
  process.stderr.write(`import ${name} ended with ${result.code} and printed:\n${result.output}\n`);
  process.exitCode = 1;
}

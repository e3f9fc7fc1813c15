// check-types.mjs DIRECTORY: type-checks a strict project that imports every export of the staged packages and holds
// the snippets of the READMEs, under both ways of resolving modules, with declaration files checked too.
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../scripts/lib/run.mjs";

const stage = resolve(process.argv[2] ?? "");
const compiler = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
const files = readdirSync(stage).filter((file) => file.endsWith(".ts"));
const strict = ["--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false", "--noEmit", "--types", "node"];

for (const modules of [
  ["--module", "nodenext", "--moduleResolution", "nodenext"],
  ["--module", "esnext", "--moduleResolution", "bundler"],
]) {
  const args = [compiler, ...strict, "--target", "es2022", "--lib", "es2023", ...modules, ...files];
  const result = await run(process.execPath, args, { capture: true, cwd: stage });
  if (result.code === 0) continue;
  process.stderr.write(`tsc ${modules.join(" ")} in ${stage}:\n${result.output}`);
  process.exitCode = 1;
}

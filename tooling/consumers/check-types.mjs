// check-types.mjs DIRECTORY: type-checks a strict project that imports every export of the staged packages and holds
// the snippets of the READMEs, under both ways of resolving modules, with declaration files checked too.
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../scripts/lib/run.mjs";
import { ownDiagnostics } from "./lib/own-diagnostics.mjs";

const stage = resolve(process.argv[2] ?? "");
const compiler = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
const files = readdirSync(stage).filter((file) => file.endsWith(".ts"));
const strict = ["--strict", "--skipLibCheck", "false", "--noEmit", "--types", "node", "--pretty", "false"];

for (const modules of [
  ["--module", "nodenext", "--moduleResolution", "nodenext"],
  ["--module", "esnext", "--moduleResolution", "bundler"],
]) {
  const args = [compiler, ...strict, "--target", "es2022", "--lib", "es2023", ...modules, ...files];
  const { code, output } = await run(process.execPath, args, { capture: true, cwd: stage });
  const own = ownDiagnostics(output);
  // Without a single diagnostic the compiler itself broke.
  if (code === 0 || (own.length === 0 && output.includes("error TS"))) continue;
  process.stderr.write(`tsc ${modules.join(" ")} in ${stage}:\n${own.join("\n") || output}\n`);
  process.exitCode = 1;
}

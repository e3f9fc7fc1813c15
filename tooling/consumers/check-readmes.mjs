// check-readmes.mjs DIRECTORY: runs the first TypeScript block of every README against the staged packages.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { run } from "../scripts/lib/run.mjs";
import { readSnippets } from "./lib/snippets.mjs";

const stage = resolve(process.argv[2] ?? "");

for (const { readme, file, code } of readSnippets()) {
  if (code === undefined) {
    fail(`${readme}: there is no \`\`\`ts block that could run`);
    continue;
  }
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  const script = join(stage, file.replace(/\.ts$/, ".mjs"));
  writeFileSync(script, outputText);
  const result = await run(process.execPath, [script], { capture: true, cwd: stage });
  if (result.code !== 0) fail(`${readme}: its first \`\`\`ts block ended with ${result.code}\n${result.output}`);
}

/** @param {string} line */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

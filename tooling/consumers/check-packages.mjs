// check-packages.mjs DIRECTORY: asks publint and "are the types wrong" about every packed tarball.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { run } from "../scripts/lib/run.mjs";

const stage = resolve(process.argv[2] ?? "");
const attwManifest = fileURLToPath(import.meta.resolve("@arethetypeswrong/cli/package.json"));
const attw = join(dirname(attwManifest), JSON.parse(readFileSync(attwManifest, "utf8")).bin.attw);

for (const tarball of readdirSync(join(stage, "tarballs"))) {
  const path = join(stage, "tarballs", tarball);
  const bytes = readFileSync(path);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  });
  for (const message of messages) fail(`publint ${tarball}: ${formatMessage(message, pkg, { color: false })}`);
  const args = [attw, path, "--profile", "esm-only", "--no-color", "--no-emoji"];
  const result = await run(process.execPath, args, { capture: true, cwd: stage });
  if (result.code !== 0) fail(`attw ${tarball}:\n${result.output}`);
}

/** @param {string} line */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

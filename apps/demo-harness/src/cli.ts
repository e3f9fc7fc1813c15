#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { standardOutput } from "./lib/output.ts";
import { run } from "./lib/run.ts";

// `holdfast inspect FILE | head` closes the pipe early: what is left to say has no reader.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code !== "EPIPE") process.stderr.write(`holdfast: the output cannot be written (${code ?? "unknown"})\n`);
  process.exit(code === "EPIPE" ? 0 : 1);
});

const samplePath = fileURLToPath(new URL("../samples/pi-mono-coding-session.jsonl", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
process.exitCode = await run(process.argv.slice(2), { output: standardOutput, samplePath, version });

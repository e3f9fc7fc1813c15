#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { standardOutput } from "./lib/output.ts";
import { run } from "./lib/run.ts";

const samplePath = fileURLToPath(new URL("../samples/pi-mono-coding-session.jsonl", import.meta.url));
process.exitCode = await run(process.argv.slice(2), { output: standardOutput, samplePath });

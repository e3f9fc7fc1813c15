// `npm start -- ARGUMENTS`: installs and builds what is missing, then is the `holdfast` command with these arguments.
// Nothing but that command writes to stdout.
import { join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./lib/ensure-ready.mjs";
import { root } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";

// npm hands a signal to the shell that it runs this in; the shell ends and tells nobody. A new parent is how this learns.
const shell = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
  setInterval(() => process.ppid === shell || process.kill(process.pid, "SIGTERM"), 250).unref();
}

const announce = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

for (const step of [ensureInstalled, ensureBuilt]) {
  const result = await step(announce);
  if (!result.ok) {
    process.stderr.write(result.output);
    process.exit(1);
  }
}

const command = join(root, "apps", "demo-harness", "dist", "cli.js");
// npm runs this file in the repository; paths on its command line mean where npm was called.
const cwd = process.env.INIT_CWD ?? process.cwd();
const { code, signal, output } = await run(process.execPath, [command, ...process.argv.slice(2)], { cwd });
process.stderr.write(output);
if (signal === null) process.exitCode = code;
else process.kill(process.pid, signal);

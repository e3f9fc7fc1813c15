import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { root } from "./root.mjs";

const forwarded = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Runs a program to its end and passes signals on to it. With `capture` its output comes back as text: `stdout`, `stderr`
 * and `output`, which is both in the order of arrival. Without, it has the streams of this process. `code` is 127 when it
 * could not be started and 128 + n when signal n ended it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ capture?: boolean, cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ code: number, signal: NodeJS.Signals | null, stdout: string, stderr: string, output: string }>}
 */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: options.env ?? process.env,
    stdio: options.capture ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  const text = { stdout: "", stderr: "", output: "" };
  for (const name of /** @type {const} */ (["stdout", "stderr"])) {
    child[name]?.setEncoding("utf8").on("data", (chunk) => {
      text[name] += chunk;
      text.output += chunk;
    });
  }
  const handlers = forwarded.map((signal) => {
    // A terminal sends its interrupt to the program too. Here it only must not end this process first.
    const forward = () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal);
    return /** @type {const} */ ([signal, forward]);
  });
  for (const [signal, handler] of handlers) process.on(signal, handler);
  try {
    const [code, signal] = await once(child, "close");
    return { code: code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)], signal, ...text };
  } catch (error) {
    const stderr = `${command}: ${error instanceof Error ? error.message : error}\n`;
    return { code: 127, signal: null, stdout: "", stderr, output: stderr };
  } finally {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  }
}

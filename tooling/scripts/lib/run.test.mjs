import { expect, test } from "vitest";
import { run } from "./run.mjs";

/** @param {string} program */
const runNode = (program) => run(process.execPath, ["--eval", program], { capture: true });

test("what a program prints and its exit code come back", async () => {
  const result = await runNode('console.log("out"); console.error("err"); process.exitCode = 3');
  expect(result).toMatchObject({ code: 3, signal: null, stdout: "out\n", stderr: "err\n" });
  expect(result.output).toHaveLength(8);
});

test("a program that a signal ended is told apart from one that exited", async () => {
  expect(await runNode('process.kill(process.pid, "SIGTERM")')).toMatchObject({ code: 143, signal: "SIGTERM" });
});

test("a program that does not exist is a failure with its name", async () => {
  const result = await run("no-such-program", [], { capture: true });
  expect(result.code).toBe(127);
  expect(result.output).toContain("no-such-program");
});

test("a signal is passed on to the program, and no listener stays behind", async () => {
  const listeners = process.listenerCount("SIGHUP");
  const running = runNode("setInterval(() => {}, 1000)");
  process.emit("SIGHUP");
  expect(await running).toMatchObject({ code: 129, signal: "SIGHUP" });
  expect(process.listenerCount("SIGHUP")).toBe(listeners);
});

import { type Message, shape } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { assistant, exchange, injected, user } from "../../fixtures/messages.ts";
import { collectLedger } from "./collect-ledger.ts";
import type { Ledger } from "./ledger.ts";

function collect(messages: readonly Message[], earlier?: Ledger): Ledger {
  const ledger = collectLedger(messages, { shape, earlier });
  if (ledger === undefined) throw new Error("no ledger");
  return ledger;
}

const bash = (command: string, result: string, isError = false) => ({
  id: "c",
  name: "bash",
  arguments: { command },
  result,
  isError,
});

describe("collectLedger", () => {
  it("counts the messages and remembers the last one", () => {
    const ledger = collect([
      user("u1", "Fix it."),
      ...exchange("a1", bash("make", "ok"), { ...bash("make test", "ok"), id: "d" }),
      injected("n1", "Reminder."),
      { id: "s1", role: "system", content: "Developer note." },
    ]);

    expect(ledger.messages).toEqual({ user: 2, assistant: 1, tool: 2, system: 1 });
    expect(ledger.through).toBe("s1");
  });

  it("lists the requests in order with what became of each", () => {
    const ledger = collect([
      assistant("a0", "The end of an older turn."),
      user("u1", "Fix the   parser,\nplease."),
      assistant("a1", "Fixed. All tests pass."),
      injected("n1", "Reminder."),
      user("u2", "Now the printer."),
      assistant("a2", "Look", "aborted"),
      user("u3", "The writer then."),
      assistant("a3", "", "error"),
      user("u4", "And the docs."),
      ...exchange("a4", bash("ls", "docs")),
    ]);

    expect(ledger.requests.entries).toEqual([
      { text: "Fix the parser, please.", outcome: "answered", answer: "Fixed. All tests pass." },
      { text: "Now the printer.", outcome: "stopped", answer: "" },
      { text: "The writer then.", outcome: "failed", answer: "" },
      { text: "And the docs.", outcome: "open", answer: "" },
    ]);
  });

  it("counts how often a file was read and modified, and what came last", () => {
    const file = (name: string, path: string, isError = false) => ({
      id: "c",
      name,
      arguments: { path },
      result: "x",
      isError,
    });
    const ledger = collect([
      ...exchange("a1", file("read", "src/a.ts")),
      ...exchange("a2", file("edit", "src/a.ts")),
      ...exchange("a3", file("edit", "src/b.ts")),
      ...exchange("a4", file("edit", "src/b.ts", true)),
      ...exchange("a5", file("read", "src/a.ts")),
    ]);

    expect(ledger.files.entries).toEqual([
      { path: "src/b.ts", reads: 0, modifications: 1, last: "modify" },
      { path: "src/a.ts", reads: 2, modifications: 1, last: "read" },
    ]);
  });

  it.each([
    ["a result in words", "2 failed\n\nCommand exited with code 1", 1, true],
    ["a result as JSON", '{"output":"x","metadata":{"exit_code":2}}', 2, true],
    ["a result in tags", "<returncode>0</returncode>\n<output>fine</output>", 0, false],
    ["the newest of several codes", "exit code 1 was expected\nProcess exited with code 0", 0, false],
    ["no code", "fine", null, false],
  ])("reads how a command ended from %s", (_, result, lastExit, lastFailed) => {
    expect(collect(exchange("a1", bash("make", result))).commands.entries).toEqual([
      { command: "make", runs: 1, failures: lastFailed ? 1 : 0, lastExit, lastFailed },
    ]);
  });

  it("counts runs and failures of a command, however its tool is called", () => {
    const ledger = collect([
      ...exchange("a1", {
        ...bash("", "exit code 1"),
        name: "shell",
        arguments: { command: ["bash", "-lc", "make  test"] },
      }),
      ...exchange("a2", { ...bash("", "exit code: 0"), name: "exec_command", arguments: { cmd: "make test" } }),
    ]);

    expect(ledger.commands.entries).toEqual([
      { command: "make test", runs: 2, failures: 1, lastExit: 0, lastFailed: false },
    ]);
  });

  it("sees one error where two differ in numbers alone, and counts that it recurred", () => {
    const ledger = collect([
      ...exchange("a1", bash("make", "building\nsrc/a.ts:12: error: x is not defined\nexited with code 2")),
      ...exchange("a2", bash("make", "building\nsrc/a.ts:40: error: x is not defined\nexited with code 2")),
      ...exchange("a3", { ...bash("", "No match for the text.", true), name: "edit" }),
    ]);

    expect(ledger.errors.entries).toEqual([
      { text: "src/a.ts:40: error: x is not defined", tool: "bash", times: 2 },
      { text: "No match for the text.", tool: "edit", times: 1 },
    ]);
  });

  it("takes no error from a command that failed without a word, nor from one that speaks of errors and succeeded", () => {
    const ledger = collect([
      ...exchange("a1", bash("grep -n x a.ts", "Command exited with code 1", true)),
      ...exchange("a2", bash("make", "0 errors")),
    ]);

    expect(ledger.errors.entries).toEqual([]);
  });

  it.each([
    [
      "a list under a heading",
      [assistant("a1", "Done so far.\n\n## Next steps\n1. Test it.\n2. Ship it.\n\nShall I go on?")],
      ["Test it.", "Ship it."],
    ],
    [
      "a to-do tool",
      exchange("a1", {
        id: "c",
        name: "TodoWrite",
        arguments: { todos: [{ content: "Test it.", status: "pending" }] },
        result: "ok",
      }),
      ["Test it. (pending)"],
    ],
    [
      "a plan tool",
      exchange("a1", {
        id: "c",
        name: "update_plan",
        arguments: { plan: [{ step: "Test it.", status: "in_progress" }] },
        result: "ok",
      }),
      ["Test it. (in_progress)"],
    ],
  ])("takes the plan from %s", (_, messages, plan) => {
    expect(collect([assistant("a0", "Plan:\n- An older one."), ...messages]).plan).toEqual(plan);
  });

  it("adds to the ledger of the record before as if it had read everything at once", () => {
    const first = [
      user("u1", "Fix it."),
      ...exchange("a1", bash("make", "src/a.ts: error: no\nexit code 1")),
      assistant("a2", "Plan:\n- Look again."),
      user("u2", "Go on."),
    ];
    const second = [
      ...exchange("a3", bash("make", "src/a.ts: error: no\nexit code 1")),
      ...exchange("a4", { id: "c", name: "read", arguments: { path: "a.ts" }, result: "x" }),
      assistant("a5", "It works."),
    ];

    expect(collect(second, collect(first))).toEqual(collect([...first, ...second]));
    expect(collect([], collect(first))).toEqual(collect(first));
  });

  it("is nothing without messages", () => {
    expect(collectLedger([], { shape })).toBeUndefined();
  });

  it("lets the oldest entries go after 200, and counts them", () => {
    const commands = Array.from({ length: 230 }, (_, n) => exchange(`a${n}`, bash(`make part-${n}`, "ok"))).flat();
    const ledger = collect(commands);

    expect(ledger.commands.entries).toHaveLength(200);
    expect(ledger.commands.entries[0]?.command).toBe("make part-30");
    expect(ledger.commands.dropped).toBe(30);
  });
});

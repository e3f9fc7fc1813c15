import { type Message, shape } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { assistant, exchange, injected, user } from "../../fixtures/messages.ts";
import { collectLedger } from "./collect-ledger.ts";
import type { Ledger } from "./ledger.ts";
import { readLedger } from "./read-ledger.ts";

function collect(messages: readonly Message[], earlier?: Ledger): Ledger {
  const ledger = collectLedger(messages, { shape, earlier: earlier && { ledger: earlier, of: [] } });
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

    expect(ledger.messages).toEqual({ user: 1, injected: 1, assistant: 1, tool: 2, system: 1 });
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
    ["the last line of an error", "2 failed\n\nCommand exited with code 1", true, 1],
    ["a structure", '{"output":"x","metadata":{"exit_code":2}}', false, 2],
    ["tags at the head", "<returncode>0</returncode>\n<output>fine</output>", false, 0],
    ["the first line", "Exit code: 3\nWall time: 0.1 seconds\nOutput:\nexit status 4", false, 3],
    ["a line at the head", "Chunk ID: f7\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nno", false, 0],
    ["an error without a code", "timed out", true, null],
  ])("reads how a command ended from %s", (_, result, isError, lastExit) => {
    const lastFailed = isError || (lastExit ?? 0) > 0;
    expect(collect(exchange("a1", bash("make", result, isError))).commands.entries).toEqual([
      { command: "make", runs: 1, failures: lastFailed ? 1 : 0, lastExit, lastFailed },
    ]);
  });

  it.each([
    "fine",
    "old log:\nProcess exited with code 137",
    "all fine\nexit code 1",
    '{"exit_code":2}',
    "Subject: a report\nExit code: 3",
    "The command exited with code 1.",
  ])("takes no exit code from what a command printed: %j", (result) => {
    const { commands, errors } = collect(exchange("a1", bash("cat notes", result)));

    expect(commands.entries).toEqual([
      { command: "cat notes", runs: 1, failures: 0, lastExit: null, lastFailed: false },
    ]);
    expect(errors.entries).toEqual([]);
  });

  it("takes a code that the output quotes for no other than the tool's own", () => {
    const quoting = "Exit code: 0\nOutput:\nsee below\nProcess exited with code 2";

    expect(collect(exchange("a1", bash("tail ci.log", quoting))).commands.entries).toEqual([
      { command: "tail ci.log", runs: 1, failures: 0, lastExit: 0, lastFailed: false },
    ]);
  });

  it("counts runs and failures of a command, however its tool is called", () => {
    const ledger = collect([
      ...exchange("a1", {
        ...bash("", "Exit code 1"),
        name: "shell",
        arguments: { command: ["bash", "-lc", "make  test"] },
      }),
      ...exchange("a2", {
        ...bash("", "Exit code: 0"),
        name: "exec_command",
        arguments: { command: null, cmd: "make test" },
      }),
    ]);

    expect(ledger.commands.entries).toEqual([
      { command: "make test", runs: 2, failures: 1, lastExit: 0, lastFailed: false },
    ]);
  });

  it("sees one error where two differ in numbers alone, and counts that it recurred", () => {
    const ledger = collect([
      ...exchange("a1", bash("make", "building\nsrc/a.ts:12: error: x is not defined", true)),
      ...exchange("a2", bash("make", "Exit code 2\nbuilding\nsrc/a.ts:40: error: x is not defined")),
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

  it("takes no plan from an answer that was stopped or failed", () => {
    const { plan } = collect([
      assistant("a1", "Plan:\n- Test it."),
      assistant("a2", "Plan:\n- Drop the tables.", "aborted"),
      assistant("a3", "Plan:\n- Drop the rest.", "error"),
    ]);

    expect(plan).toEqual(["Test it."]);
  });

  it("says of a file that is gone that it was deleted, and of one that came back what was done to it", () => {
    const tool = (name: string, path: string) => ({ id: "c", name, arguments: { path }, result: "ok" });
    const { files } = collect([
      ...exchange("a1", tool("write", "gone.ts")),
      ...exchange("a2", tool("delete_file", "gone.ts")),
      ...exchange("a3", tool("delete_file", "back.ts")),
      ...exchange("a4", tool("write", "back.ts")),
    ]);

    expect(files.entries).toEqual([
      { path: "gone.ts", reads: 0, modifications: 1, last: "delete" },
      { path: "back.ts", reads: 0, modifications: 1, last: "modify" },
    ]);
  });

  it("does not lose a call whose result comes after all that an earlier ledger counted", () => {
    const [call, result] = exchange("a1", { id: "c", name: "edit", arguments: { path: "a.ts" }, result: "ok" });
    if (call === undefined || result === undefined) throw new Error("no exchange");
    const before = [user("u1", "Fix it."), call, user("u2", "And the docs.")];
    const behind = [result, assistant("a2", "Done.")];
    const earlier = { ledger: collect(before), of: before };

    expect(collectLedger(behind, { shape, earlier })).toEqual(collect([...before, ...behind]));
    expect(collectLedger(behind, { shape, earlier })?.files.entries).toEqual([
      { path: "a.ts", reads: 0, modifications: 1, last: "modify" },
    ]);
  });

  it("stays small whatever the conversation held, and reads back as it is", () => {
    const long = "x y ".repeat(5000);
    const messages = Array.from({ length: 300 }, (_, n) => [
      user(`u${n}`, `${n} ${long}`),
      ...exchange(
        `a${n}`,
        { id: "c", name: "read", arguments: { path: `${n}/${long}` }, result: "x" },
        { id: "d", name: "bash", arguments: { command: `${n} ${long}` }, result: `error: ${n} ${long}`, isError: true },
        { id: "e", name: `tool ${long}`, arguments: {}, result: `error ${"a".repeat(n)} ${long}`, isError: true },
        { id: "f", name: "todo", arguments: { todos: Array(50).fill({ content: long, status: long }) }, result: "ok" },
      ),
      assistant(`b${n}`, long),
    ]).flat();
    const ledger = collect(messages);

    expect(JSON.stringify(ledger).length).toBeGreaterThan(50_000);
    expect(JSON.stringify(ledger).length).toBeLessThan(150_000);
    expect(readLedger(JSON.parse(JSON.stringify(ledger)))).toEqual(ledger);
  });

  it("adds to the ledger of the record before as if it had read everything at once", () => {
    const first = [
      user("u1", "Fix it."),
      ...exchange("a1", bash("make", "Exit code 1\nsrc/a.ts: error: no")),
      assistant("a2", "Plan:\n- Look again."),
      user("u2", "Go on."),
    ];
    const second = [
      ...exchange("a3", bash("make", "Exit code 1\nsrc/a.ts: error: no")),
      ...exchange("a4", { id: "c", name: "read", arguments: { path: "a.ts" }, result: "x" }),
      assistant("a5", "It works."),
    ];

    expect(collect(second, collect(first))).toEqual(collect([...first, ...second]));
    expect(collect([], collect(first))).toEqual(collect(first));
  });

  it("is nothing without messages", () => {
    expect(collectLedger([], { shape })).toBeUndefined();
  });

  it("lets the oldest entries go after 100, and counts them, in however many parts it reads", () => {
    const commands = Array.from({ length: 230 }, (_, n) => exchange(`a${n}`, bash(`make part-${n}`, "ok"))).flat();
    const ledger = collect(commands);

    expect(ledger.commands.entries).toHaveLength(100);
    expect(ledger.commands.entries[0]?.command).toBe("make part-130");
    expect(ledger.commands.dropped).toBe(130);
    expect(collect(commands.slice(90), collect(commands.slice(0, 90)))).toEqual(ledger);
  });
});

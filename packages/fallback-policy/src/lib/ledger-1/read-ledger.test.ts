import { describe, expect, it } from "vitest";
import type { Ledger } from "./ledger.ts";
import { readLedger } from "./read-ledger.ts";

const nothing = { entries: [], dropped: 0 };
const ledger: Ledger = {
  version: 1,
  through: "m9",
  messages: { user: 1, injected: 0, assistant: 2, tool: 1, system: 0 },
  requests: { entries: [{ text: "Fix it.", outcome: "open", answer: "" }], dropped: 3 },
  files: { entries: [{ path: "a.ts", reads: 1, modifications: 0, last: "read" }], dropped: 0 },
  commands: { entries: [{ command: "ls", runs: 1, failures: 0, lastExit: null, lastFailed: false }], dropped: 0 },
  errors: nothing,
  plan: ["Test it. (pending)"],
};
const file = { path: "a.ts", reads: 1, modifications: 0, last: "read" };
const command = { command: "ls", runs: 1, failures: 0, lastExit: 0, lastFailed: false };

describe("readLedger", () => {
  it("gives back a ledger as it was stored", () => {
    expect(readLedger(JSON.parse(JSON.stringify(ledger)))).toEqual(ledger);
  });

  it.each([
    ["a count beyond all counting", { messages: { ...ledger.messages, assistant: 1e308 } }],
    ["a count below zero", { messages: { ...ledger.messages, user: -5 } }],
    ["half a message", { messages: { ...ledger.messages, tool: 0.5 } }],
    ["a negative number of entries let go", { requests: { entries: [], dropped: -3 } }],
    ["an exit code that is no whole number", { commands: { entries: [{ ...command, lastExit: 0.5 }], dropped: 0 } }],
    ["a plan of a thousand items", { plan: Array(1000).fill("Test it.") }],
    ["a plan with an endless item", { plan: ["p".repeat(10_000_000)] }],
    ["more files than it ever lists", { files: { entries: Array(101).fill(file), dropped: 0 } }],
    ["a path longer than it ever writes", { files: { entries: [{ ...file, path: "p".repeat(201) }], dropped: 0 } }],
    ["a text with lines of its own", { commands: { entries: [{ ...command, command: "ls\n## Goal" }], dropped: 0 } }],
    ["an endless id", { through: "m".repeat(10_000) }],
  ])("takes no ledger that has %s", (_, change) => {
    expect(readLedger({ ...ledger, ...change })).toBeUndefined();
  });
});

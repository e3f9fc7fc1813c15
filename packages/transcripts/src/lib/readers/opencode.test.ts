import { expect, test } from "vitest";
import { jsonDocument } from "../fixtures/json-lines.ts";
import { readTranscript } from "../read-transcript.ts";

const message = (id: string, role: string, parts: unknown[], fields: object = {}) => ({
  info: { id, role, time: { created: 1 }, ...fields },
  parts,
});
const text = (content: string) => ({ type: "text", text: content });
const tool = (callID: string, state: object) => ({ type: "tool", callID, tool: "read", state });

async function read(messages: unknown[], info: object = {}) {
  return readTranscript(jsonDocument({ info: { id: "ses", ...info }, messages }));
}

test("a tool part is a call and its result; a running tool is a call without one", async () => {
  const file = await read([
    message("u", "user", [text("read")]),
    message("a", "assistant", [
      tool("c1", { status: "completed", input: { path: "x" }, output: "text" }),
      tool("c2", { status: "error", input: {}, error: "gone" }),
      tool("c3", { status: "running", input: {} }),
    ]),
  ]);
  expect(file.conversations[0]?.messages.slice(1)).toMatchObject([
    { role: "assistant", content: [{ id: "c1", arguments: { path: "x" } }, { id: "c2" }, { id: "c3" }] },
    { role: "toolResult", toolCallId: "c1", toolName: "read", content: [{ text: "text" }], isError: false },
    { role: "toolResult", toolCallId: "c2", content: [{ text: "gone" }], isError: true },
  ]);
  expect(file.conversations[0]?.messages).toHaveLength(4);
});

test("redacted ids are told apart in one message, and the original is kept", async () => {
  const done = (output: string) => tool("REDACTED", { status: "completed", input: {}, output });
  const file = await read([message("a", "assistant", [done("first"), done("second")])]);
  const [answer, first, second] = file.conversations[0]?.messages ?? [];
  expect(answer).toMatchObject({ content: [{ id: "REDACTED" }, { id: "call-1", originalId: "REDACTED" }] });
  expect([first, second]).toMatchObject([
    { toolCallId: "REDACTED", content: [{ text: "first" }] },
    { toolCallId: "call-1", content: [{ text: "second" }] },
  ]);
});

test("messages that were taken back are gone", async () => {
  const messages = [message("u1", "user", [text("one")]), message("u2", "user", [text("two")])];
  const file = await read(messages, { revert: { messageID: "u2" } });
  expect(file.conversations[0]?.messages.map(({ id }) => id)).toEqual(["u1"]);
  expect(file.diagnostics).toHaveLength(1);
});

test("a summary message is a compaction, and an aborted answer is marked", async () => {
  const file = await read([
    message("u", "user", [text("one")]),
    message("s", "assistant", [text("What was done.")], { summary: true }),
    message("a", "assistant", [text("half")], { error: { name: "MessageAbortedError", data: { message: "aborted" } } }),
  ]);
  expect(file.conversations[0]?.compactions).toEqual([{ at: 2, summary: "What was done.", replaces: "prefix" }]);
  expect(file.conversations[0]?.messages[2]).toMatchObject({ stopReason: "aborted", errorMessage: "aborted" });
});

test("of a message the user went back into, the parts before that point stay", async () => {
  const parts = [text("Kept."), { ...text("Gone."), id: "p2" }];
  const messages = [message("u", "user", [text("go")]), message("a", "assistant", parts), message("u2", "user", [])];
  const file = await read(messages, { revert: { messageID: "a", partID: "p2" } });
  expect(file.conversations[0]?.messages).toMatchObject([{ id: "u" }, { id: "a", content: [{ text: "Kept." }] }]);
  expect(file.diagnostics).toEqual([
    { problem: "1 messages after the point the user went back to", action: "left out" },
  ]);
});

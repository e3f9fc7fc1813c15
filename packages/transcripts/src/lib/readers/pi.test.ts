import { describeWithSessions } from "@holdfast/test-kit";
import { expect, test } from "vitest";
import { readTranscript } from "../read-transcript.ts";

const bytes = (...records: unknown[]) =>
  new TextEncoder().encode(
    records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n"),
  );

const header = { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" };

function entry(id: string, parentId: string | null, fields: object) {
  return { id, parentId, timestamp: "2026-01-01T00:00:01.000Z", ...fields };
}

function said(id: string, parentId: string | null, content: string) {
  return entry(id, parentId, { type: "message", message: { role: "user", content, timestamp: 5 } });
}

async function messagesOf(...records: unknown[]) {
  return (await readTranscript(bytes(...records))).conversations[0]?.messages ?? [];
}

test("a branch that was left behind is not in the conversation", async () => {
  const messages = await messagesOf(
    header,
    said("a", null, "one"),
    said("b", "a", "two, rewound"),
    said("c", "a", "two, again"),
  );
  expect(messages.map((message) => message.id)).toEqual(["a", "c"]);
});

test("a broken line in the middle costs only its own message", async () => {
  const file = await readTranscript(
    bytes(header, said("a", null, "one"), '{"type":"message","id":"b","par', said("c", "b", "three")),
  );
  expect(file.conversations[0]?.messages.map((message) => message.id)).toEqual(["a", "c"]);
  expect(file.diagnostics).toEqual([
    { line: 3, problem: "JSON that breaks off", action: "set aside" },
    { line: 4, problem: 'its parent "b" is not in the file', action: "joined to the entry before it" },
  ]);
});

test("what the user ran in the shell is an injected message in the words pi sends", async () => {
  const messages = await messagesOf(
    header,
    entry("a", null, {
      type: "message",
      message: {
        role: "bashExecution",
        command: "ls x",
        output: "no x",
        exitCode: 2,
        cancelled: false,
        truncated: false,
      },
    }),
  );
  expect(messages).toMatchObject([
    {
      id: "a",
      role: "user",
      origin: "injected",
      content: [{ type: "text", text: "Ran `ls x`\n```\nno x\n```\n\nCommand exited with code 2" }],
    },
  ]);
});

describeWithSessions("recorded pi sessions", (sessionFile) => {
  test("version 1 with two compactions", async () => {
    const file = await readTranscript(sessionFile("pi-v1__pi-mono__before-compaction.jsonl"));
    const [session] = file.conversations;
    expect(session?.messages).toHaveLength(990);
    expect(session?.compactions.map(({ at, keptFrom, tokensBefore }) => ({ at, keptFrom, tokensBefore }))).toEqual([
      { at: 354, keptFrom: 288, tokensBefore: 175004 },
      { at: 622, keptFrom: 545, tokensBefore: 185014 },
    ]);
  });
});

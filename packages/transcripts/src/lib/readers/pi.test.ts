import { readFileSync } from "node:fs";
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

test("SC-02 a message without a role, or with one that is unknown, is set aside and the rest is read", async () => {
  const file = await readTranscript(
    bytes(
      header,
      said("a", null, "one"),
      entry("m7", "a", { type: "message", message: { toolCallId: "c1", content: "ok" } }),
      entry("m8", "m7", { type: "message", message: { role: "critic", content: "no" } }),
      said("b", "m8", "two"),
    ),
  );
  expect(file.conversations[0]?.messages.map((message) => message.id)).toEqual(["a", "b"]);
  expect(file.diagnostics).toEqual([
    { line: 3, problem: "the unknown role undefined", action: "set aside" },
    { line: 4, problem: 'the unknown role "critic"', action: "set aside" },
  ]);
});

test("an id that is used twice is minted anew from its position, and kept", async () => {
  const messages = await messagesOf(header, said("a", null, "one"), said("a", "a", "two"));
  expect(messages).toMatchObject([
    { id: "a", content: "one" },
    { id: "#2", originalId: "a", content: "two" },
  ]);
});

test("a compaction names the first message it kept, its files and its tokens", async () => {
  const details = { readFiles: ["a.ts"], modifiedFiles: ["b.ts"] };
  const file = await readTranscript(
    bytes(
      header,
      said("a", null, "one"),
      entry("l", "a", { type: "label", targetId: "a", label: "here" }),
      said("b", "l", "two"),
      entry("k", "b", { type: "compaction", summary: "So far.", firstKeptEntryId: "l", tokensBefore: 9, details }),
      said("c", "k", "three"),
    ),
  );
  expect(file.conversations[0]?.compactions).toEqual([
    {
      at: 2,
      summary: "So far.",
      keptFrom: 1,
      replaces: "prefix",
      tokensBefore: 9,
      files: { read: ["a.ts"], modified: ["b.ts"] },
    },
  ]);
});

test("what an extension or a branch left behind says is injected, what is kept from the model is not there", async () => {
  const messages = await messagesOf(
    header,
    entry("x", null, { type: "custom_message", customType: "context", content: "tree", display: false }),
    entry("y", "x", { type: "custom", customType: "state", data: {} }),
    entry("z", "y", { type: "branch_summary", fromId: "q", summary: "Tried a." }),
    entry("w", "z", { type: "message", message: { role: "hookMessage", content: "hook" } }),
    entry("v", "w", { type: "message", message: { role: "bashExecution", command: "x", excludeFromContext: true } }),
  );
  expect(messages).toMatchObject([
    { id: "x", origin: "injected", content: "tree", customType: "context" },
    { id: "z", origin: "injected" },
    { id: "w", origin: "injected", content: "hook" },
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

  test("texts, arguments and all else of a message are as in the file", async () => {
    const path = sessionFile("pi-v3__trl__copilot-opus.jsonl");
    const [session] = (await readTranscript(path)).conversations;
    const entries = readFileSync(path, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const written = entries.filter(({ type }) => type === "message");
    expect(session?.messages).toEqual(
      written.map(({ id, message }) => ({ ...message, id, content: message.content.map(withoutSignatureName) })),
    );
  });
});

/** The one field that is renamed. */
function withoutSignatureName({ thinkingSignature, ...part }: Record<string, unknown>) {
  return thinkingSignature === undefined ? part : { ...part, signature: thinkingSignature };
}

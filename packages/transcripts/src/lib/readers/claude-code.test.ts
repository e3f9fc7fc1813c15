import { expect, test } from "vitest";
import { jsonLines } from "../fixtures/json-lines.ts";
import { readTranscript } from "../read-transcript.ts";

function line(type: string, uuid: string, parentUuid: string | null, fields: object) {
  return {
    type,
    uuid,
    parentUuid,
    sessionId: "s",
    timestamp: "2026-01-01T00:00:00.000Z",
    isSidechain: false,
    ...fields,
  };
}

function user(uuid: string, parent: string | null, content: unknown, fields: object = {}) {
  return line("user", uuid, parent, { message: { role: "user", content }, ...fields });
}

function assistant(uuid: string, parent: string | null, id: string, ...content: unknown[]) {
  return line("assistant", uuid, parent, {
    message: { id, role: "assistant", model: "m", content, stop_reason: null },
  });
}

const call = (id: string) => ({ type: "tool_use", id, name: "Read", input: { path: id } });
const result = (id: string) => [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }];

test("the lines of one API message are one message, also when results stand between them", async () => {
  const file = await readTranscript(
    jsonLines(
      user("u1", null, "read both"),
      assistant("a1", "u1", "msg", { type: "text", text: "Reading." }),
      assistant("a2", "a1", "msg", call("c1")),
      user("r1", "a2", result("c1")),
      assistant("a3", "a2", "msg", call("c2")),
      user("r2", "a3", result("c2")),
    ),
  );
  expect(file.conversations[0]?.messages).toMatchObject([
    { id: "u1", role: "user" },
    { id: "a1", content: [{ text: "Reading." }, { id: "c1", name: "Read" }, { id: "c2" }], stopReason: "toolUse" },
    { id: "r1", role: "toolResult", toolCallId: "c1", toolName: "Read", content: [{ text: "of c1" }] },
    { id: "r2", role: "toolResult", toolCallId: "c2", toolName: "Read" },
  ]);
});

test("a request the user went back on is gone, with what grew out of it", async () => {
  const file = await readTranscript(
    jsonLines(
      user("u1", null, "start"),
      assistant("a1", "u1", "m1", { type: "text", text: "started" }),
      user("u2", "a1", "the wrong way"),
      assistant("a2", "u2", "m2", { type: "text", text: "going wrong" }),
      user("u3", "a1", "the right way"),
      assistant("a3", "u3", "m3", { type: "text", text: "going right" }),
    ),
  );
  expect(file.conversations[0]?.messages.map((message) => message.id)).toEqual(["u1", "a1", "u3", "a3"]);
  expect(file.diagnostics).toEqual([{ problem: "2 records of a branch the user went back on", action: "left out" }]);
});

test("sub-agents inline are conversations of their own, behind the main one", async () => {
  const side = { isSidechain: true };
  const file = await readTranscript(
    jsonLines(
      user("u1", null, "delegate"),
      user("x1", null, "look around", side),
      { ...assistant("x2", "x1", "m1", { type: "text", text: "looked" }), ...side },
      user("y1", null, "count", side),
      assistant("a1", "u1", "m2", { type: "text", text: "done" }),
    ),
  );
  const ids = file.conversations.map(({ id, messages }) => [id, messages.map((message) => message.id)]);
  expect(ids).toEqual([
    ["s", ["u1", "a1"]],
    ["x1", ["x1", "x2"]],
    ["y1", ["y1"]],
  ]);
});

test("a boundary and the summary behind it are a compaction; a boundary alone has an unknown summary", async () => {
  const boundary = (uuid: string) =>
    line("system", uuid, null, { subtype: "compact_boundary", compactMetadata: { trigger: "manual", preTokens: 900 } });
  const file = await readTranscript(
    jsonLines(
      user("u1", null, "one"),
      boundary("b1"),
      user("s1", "b1", "This session is being continued.", { isCompactSummary: true }),
      user("u2", "s1", "two"),
      boundary("b2"),
      user("u3", "b2", "three"),
    ),
  );
  const [session] = file.conversations;
  expect(session?.compactions).toEqual([
    { at: 2, summary: "This session is being continued.", replaces: "prefix", trigger: "manual", tokensBefore: 900 },
    { at: 3, summary: null, replaces: "prefix", trigger: "manual", tokensBefore: 900 },
  ]);
  expect(session?.messages[1]).toMatchObject({ id: "s1", origin: "injected" });
});

test("what Claude Code wrote into the user's role is injected, a command with a prompt is not", async () => {
  const file = await readTranscript(
    jsonLines(
      user("1", null, "<local-command-caveat>…", { isMeta: true }),
      user("2", "1", "<command-name>/exit</command-name>"),
      user("3", "2", "<local-command-stdout>Bye!</local-command-stdout>"),
      user("4", "3", [{ type: "text", text: "[Request interrupted by user]" }]),
      user("5", "4", "<command-message>fix</command-message>\n<command-name>/fix</command-name>"),
      user("6", "5", "and the tests"),
    ),
  );
  const origins = file.conversations[0]?.messages.map((message) => message.role === "user" && message.origin);
  expect(origins).toEqual(["injected", "injected", "injected", "injected", undefined, undefined]);
});

test("an API error and a notice without a model are marked as never sent again", async () => {
  const notice = {
    message: { id: "n", role: "assistant", model: "<synthetic>", content: [{ type: "text", text: "x" }] },
  };
  const file = await readTranscript(
    jsonLines(
      user("u", null, "go"),
      line("assistant", "e", "u", { ...notice, isApiErrorMessage: true }),
      line("assistant", "n", "e", { message: { ...notice.message, id: "other" } }),
    ),
  );
  expect(file.conversations[0]?.messages.slice(1)).toMatchObject([{ stopReason: "error" }, { stopReason: "aborted" }]);
});

test("a record that was written twice, not in a row, is joined with the first", async () => {
  const first = user("u1", null, "hello");
  const file = await readTranscript(jsonLines(first, assistant("a1", "u1", "m", { type: "text", text: "hi" }), first));
  expect(file.conversations[0]?.messages).toHaveLength(2);
  expect(file.diagnostics).toEqual([{ line: 3, problem: "the record u1 again", action: "joined with the first" }]);
});

test("a prompt that was queued while the model worked is a request", async () => {
  const file = await readTranscript(
    jsonLines(
      user("u1", null, "go"),
      line("attachment", "q", "u1", { attachment: { type: "queued_command", prompt: "and hurry" } }),
      line("attachment", "h", "q", { attachment: { type: "hook_success" } }),
    ),
  );
  expect(file.conversations[0]?.messages).toMatchObject([
    { id: "u1" },
    { id: "q", role: "user", content: "and hurry" },
  ]);
});

test("a message in very many pieces is one message, in a line or over lines", async () => {
  const pieces = Array.from({ length: 150_000 }, () => ({ type: "text", text: "x" }));
  const file = await readTranscript(
    jsonLines(
      assistant("a1", null, "msg"),
      line("assistant", "a2", "a1", { message: { id: "msg", role: "assistant", content: pieces } }),
    ),
  );
  expect(file.conversations[0]?.messages.map(({ content }) => content.length)).toEqual([150_000]);
});

test("a branch the user went back on is gone, also what hangs on it by an attachment or an unknown record", async () => {
  const file = await readTranscript(
    jsonLines(
      user("u1", null, "start"),
      assistant("a1", "u1", "m1", { type: "text", text: "Started." }),
      user("u2", "a1", "wrong way"),
      line("attachment", "t2", "u2", { attachment: { type: "file" } }),
      line("brand-new", "n2", "t2", {}),
      assistant("a2", "n2", "m2", { type: "text", text: "Going wrong." }),
      user("u3", "a1", "right way"),
      assistant("a3", "u3", "m3", { type: "text", text: "Going right." }),
    ),
  );
  expect(file.conversations[0]?.messages.map(({ id }) => id)).toEqual(["u1", "a1", "u3", "a3"]);
});

test("the summary of a compaction is its text, in one piece or in several", async () => {
  const boundary = line("system", "b", null, { subtype: "compact_boundary", compactMetadata: { trigger: "auto" } });
  const summary = [
    { type: "text", text: "The story" },
    { type: "text", text: "so far." },
  ];
  const file = await readTranscript(
    jsonLines(user("u1", null, "go"), boundary, user("s", "b", summary, { isCompactSummary: true })),
  );
  expect(file.conversations[0]?.compactions).toMatchObject([{ at: 2, summary: "The story\nso far.", trigger: "auto" }]);
});

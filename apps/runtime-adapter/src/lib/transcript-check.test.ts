import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { conversation, good, sent, setup } from "./fixtures/compactor-setup.ts";
import { createTranscriptCheck } from "./transcript-check.ts";

const user = { id: "u1", role: "user", content: "Hello" };
const mistakes: [string, unknown, string][] = [
  ["no list", undefined, "messages must be a list of messages, got undefined"],
  ["a hole", [user, undefined], "messages[1]: Invalid input: expected object, received undefined."],
  [
    "no id",
    [{ role: "user", content: "Hello" }],
    "messages[0].id: Invalid input: expected string, received undefined.",
  ],
  ["one id twice", [user, user], 'messages[1] has the id "u1" of messages[0]: ids must be unique in a transcript'],
  [
    "a tool result as OpenAI has it",
    [user, { id: "t", role: "tool", tool_call_id: "c", content: "Done" }],
    'this is an object of role "tool" with the fields id, role, tool_call_id, content',
  ],
  [
    "an answer as OpenAI has it",
    [user, { id: "a", role: "assistant", content: "Hi" }],
    "messages[1].content: Invalid input: expected array, received string.",
  ],
  [
    "arguments that are still text",
    [
      user,
      {
        id: "a",
        role: "assistant",
        content: [{ type: "toolCall", id: "c", name: "read", arguments: "{}" }],
        stopReason: "toolUse",
      },
    ],
    "messages[1].content.0.arguments: Invalid input: expected record, received string.",
  ],
];

test.each(mistakes)(
  "%s for a transcript is refused by name on every route, and nothing begins",
  async (_, messages, text) => {
    const { compactor, asked, store } = setup(() => good);
    const ended: unknown[] = [];
    compactor.on("compaction_end", (report) => ended.push(report));
    compactor.requestNewContext();
    const input = { messages: messages as Message[] };
    for (const call of ["prepareRequest", "endTurn", "compact", "recoverFromOverflow"] as const) {
      const error: unknown = await compactor[call](input).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(text);
    }
    expect([asked, ended, await store.list("c")]).toEqual([[], [], []]);
    // It goes on as if the mistake had never been made: the new window that was asked for is still to come.
    const request = sent(await compactor.prepareRequest({ messages: conversation(4) }));
    expect(request.compaction).toMatchObject({ trigger: "new_context", outcome: "summary" });
  },
);

test("what was said is in no error", () => {
  const secret = { id: "a", role: "assistant", content: "the secret", stopReason: "stop" };
  expect(() => createTranscriptCheck().check([secret])).toThrow(
    new TypeError(
      'messages[0].content: Invalid input: expected array, received string. Every message must be one of @holdfast/message-schema, this is an object of role "assistant" with the fields id, role, content, stopReason',
    ),
  );
});

test("a conversation that has not begun is no mistake: its request is empty", async () => {
  const { compactor } = setup(() => good);
  expect(await compactor.prepareRequest({ messages: [] })).toMatchObject({ kind: "send", messages: [], tokens: 0 });
  expect(await compactor.endTurn({ messages: [] })).toBeUndefined();
  await expect(compactor.compact({ messages: [] })).rejects.toMatchObject({ code: "no_new_history" });
});

/** A message that says how often its content was read. */
function watched(id: string, reads: Map<string, number>) {
  return {
    id,
    role: "user",
    get content() {
      reads.set(id, (reads.get(id) ?? 0) + 1);
      return `text of ${id}`;
    },
  };
}

test("of a transcript that goes on only what is new is looked at, also in a copy of it and after going back", () => {
  const reads = new Map<string, number>();
  const list = (...ids: string[]) => ids.map((id) => watched(id, reads));
  const { check } = createTranscriptCheck();
  check(list("u1", "u2", "u3"));
  reads.clear();
  check(list("u1", "u2", "u3", "u4"));
  expect([...reads.keys()]).toEqual(["u4"]);
  reads.clear();
  check(list("u1", "u2"));
  expect(reads.size).toBe(0);
  check(list("u1", "u2", "u5", "u3"));
  expect([...reads.keys()]).toEqual(["u5", "u3"]);
  reads.clear();
  check(list("x1", "x2"));
  expect([...reads.keys()]).toEqual(["x1", "x2"]);
});

test("a message that was refused is looked at again, and what came before it is not", () => {
  const reads = new Map<string, number>();
  const { check } = createTranscriptCheck();
  const first = watched("u1", reads);
  expect(() => check([first, { ...user, content: 1 }])).toThrow("messages[1].content");
  reads.clear();
  expect(() => check([first, { ...user, content: 1 }])).toThrow("messages[1].content");
  check([first, { ...user, id: "u2" }]);
  expect(reads.size).toBe(0);
});

import type { Message } from "@holdfast/message-schema";
import { transcriptArbitrary } from "@holdfast/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonDocument, jsonLines } from "../fixtures/json-lines.ts";
import { readTranscript } from "../read-transcript.ts";
import { toPi, toPiSession } from "../write/pi.ts";

const session: readonly Message[] = [
  { id: "s", role: "system", content: "Be brief." },
  { id: "u1", role: "user", content: [{ type: "text", text: "Look." }], timestamp: 1 },
  { id: "n1", role: "user", content: "A reminder.", origin: "injected" },
  {
    id: "a1",
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "sig==" },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "a.txt" } },
      { type: "opaque", value: { type: "search" } },
    ],
    stopReason: "toolUse",
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10 },
    model: "m",
  },
  {
    id: "r1",
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content: [{ type: "image", data: "aGk=", mimeType: "image/png" }],
    isError: false,
  },
  { id: "a2", role: "assistant", content: [], stopReason: "aborted" },
];

const forms: readonly [string, Uint8Array][] = [
  ["a list", jsonDocument(session)],
  ["an object with a list under messages", jsonDocument({ messages: session })],
  ["a message a line", jsonLines(...session)],
];

test.each(forms)("the session of one's own agent comes back as it was from %s", async (_, bytes) => {
  const file = await readTranscript(bytes);
  expect(file).toEqual({
    format: "holdfast",
    conversations: [{ id: "conversation", messages: session, compactions: [] }],
    diagnostics: [],
  });
});

test("with a session a line each is a conversation of its own name", async () => {
  const { format, conversations } = await readTranscript(
    jsonLines({ id: "first", messages: session }, { id: "second", messages: session.slice(0, 4) }),
  );
  expect(format).toBe("holdfast");
  expect(conversations.map(({ id, messages }) => [id, messages.length])).toEqual([
    ["first", 6],
    ["second", 4],
  ]);
});

test("any transcript of ours that holds an answer comes back as it was, fields of the host's own too", async () => {
  const transcript = transcriptArbitrary(fc, { hugeResultWords: 20 }) as fc.Arbitrary<Message[]>;
  await fc.assert(
    fc.asyncProperty(transcript, fc.boolean(), async (messages, isPerLine) => {
      fc.pre(messages.some(({ role }) => role === "assistant"));
      const own = messages.map((message, index) => ({ ...message, seq: index, tags: [{ "": null }] }));
      const stored: unknown = JSON.parse(JSON.stringify(own));
      const file = await readTranscript(isPerLine && own.length > 1 ? jsonLines(...own) : jsonDocument(own));
      expect(file.format).toBe("holdfast");
      expect(file.conversations[0]?.messages).toEqual(stored);
      expect(file.diagnostics).toEqual([]);
    }),
    { numRuns: 100 * Number(process.env.HOLDFAST_RUNS ?? 1), seed: 26 },
  );
});

test("keys of a call's arguments that JavaScript treats apart come back, and a part of a new type is wrapped", async () => {
  const call = '{"type":"toolCall","id":"c","name":"set","arguments":{"__proto__":{"a":1},"constructor":2}}';
  const answer = `{"id":"a","role":"assistant","stopReason":"toolUse","content":[${call},{"type":"video","url":"v"}]}`;
  const { conversations, diagnostics } = await readTranscript(new TextEncoder().encode(`[${answer}]`));
  const wrapped = answer.replace('{"type":"video","url":"v"}', '{"type":"opaque","value":{"type":"video","url":"v"}}');
  expect(JSON.stringify(conversations[0]?.messages)).toBe(`[${wrapped}]`);
  expect(diagnostics).toEqual([]);
});

test("a line that is broken, doubled or no message costs that line", async () => {
  const [system, request, , answer, result, end] = session;
  const { format, conversations, diagnostics } = await readTranscript(
    jsonLines(system, '{"id":"u0","role":"us', request, answer, answer, { ...result, isError: "no" }, { a: 1 }, end),
  );
  expect(format).toBe("holdfast");
  expect(conversations[0]?.messages.map(({ id }) => id)).toEqual(["s", "u1", "a1", "a2"]);
  expect(diagnostics).toEqual([
    { line: 2, problem: "JSON that breaks off", action: "set aside" },
    { problem: "message 3 is the same as the one before", action: "joined with it" },
    { problem: "message 4 is not of the message schema at isError", action: "set aside" },
    { problem: "message 5 is not of the message schema at role", action: "set aside" },
  ]);
});

test("an id that is missing or used twice is minted, the original kept", async () => {
  const [, request, , answer, result, end] = session;
  const { conversations } = await readTranscript(
    jsonDocument([request, answer, result, { ...end, id: "u1" }, { ...end, id: "" }]),
  );
  expect(conversations[0]?.messages.map(({ id }) => id)).toEqual(["u1", "a1", "r1", "#3", "#4"]);
  expect(conversations[0]?.messages[3]).toMatchObject({ originalId: "u1" });
});

test("a session of pi stays pi's, and pi's messages without their session are not taken for something else", async () => {
  const piSession = toPiSession(session, { id: "s", cwd: "/w" });
  expect((await readTranscript(new TextEncoder().encode(piSession))).format).toBe("pi");
  await expect(readTranscript(jsonDocument(toPi(session)))).rejects.toMatchObject({ code: "unknown_format" });
});

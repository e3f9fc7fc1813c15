import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { readTranscript } from "../read-transcript.ts";
import { toAiSdk } from "./ai-sdk.ts";
import { toAnthropic } from "./anthropic.ts";
import { toOpenAiChat } from "./openai-chat.ts";
import { toPi, toPiSession } from "./pi.ts";

const picture = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;

const transcript: readonly Message[] = [
  { id: "s", role: "system", content: "Be brief." },
  { id: "u1", role: "user", content: [{ type: "text", text: "What is this?" }, picture] },
  {
    id: "a1",
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Two looks.", signature: "sig==" },
      { type: "text", text: "Let me look." },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "a.txt" } },
      { type: "toolCall", id: "c2", name: "read", arguments: { path: "b.txt", lines: [1, 2] } },
    ],
    stopReason: "toolUse",
  },
  // The results come in another order than the calls.
  {
    id: "r2",
    role: "toolResult",
    toolCallId: "c2",
    toolName: "read",
    content: [{ type: "text", text: "no b.txt" }],
    isError: true,
  },
  {
    id: "r1",
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content: [{ type: "text", text: "a" }],
    isError: false,
  },
  { id: "a2", role: "assistant", content: [{ type: "text", text: "A letter." }], stopReason: "stop" },
  { id: "u2", role: "user", content: [{ type: "text", text: "Thanks." }] },
];

const inCallOrder = [0, 1, 2, 4, 3, 5, 6].flatMap((index) => transcript[index] ?? []);

async function readBack(form: string): Promise<unknown[]> {
  const file = await readTranscript(new TextEncoder().encode(form));
  return (file.conversations[0]?.messages ?? []).map(withoutId);
}

function withoutId({ id: _, ...message }: Message): unknown {
  return message;
}

test("an Anthropic request gives back every message, and the results in the order of their calls", async () => {
  const expected = inCallOrder.map(withoutId);
  expected[0] = { role: "system", content: [{ type: "text", text: "Be brief." }] };
  expect(await readBack(JSON.stringify(toAnthropic(transcript)))).toEqual(expected);
});

test("an AI SDK prompt gives back every message", async () => {
  const read = await readBack(JSON.stringify(toAiSdk(transcript)));
  const options = { providerOptions: { anthropic: { signature: "sig==" } } };
  const expected = inCallOrder.map(withoutId);
  expected[2] = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Two looks.", signature: "sig==", ...options },
      ...(transcript[2]?.content.slice(1) ?? []),
    ],
    stopReason: "toolUse",
  };
  expect(read).toEqual(expected);
});

test("an OpenAI request gives back all but reasoning and the error flag, for which it has no place", async () => {
  const read = await readBack(JSON.stringify({ messages: toOpenAiChat(transcript) }));
  const expected = inCallOrder.map(withoutId);
  expected[2] = { role: "assistant", content: transcript[2]?.content.slice(1), stopReason: "toolUse" };
  expected[4] = { ...(expected[4] as object), isError: false };
  expected[6] = { role: "user", content: "Thanks." };
  expect(read).toEqual(expected);
});

test("reasoning goes to the servers that take it", async () => {
  const read = await readBack(JSON.stringify({ messages: toOpenAiChat(transcript, { withReasoning: true }) }));
  expect(read[2]).toMatchObject({ content: [{ type: "thinking", thinking: "Two looks." }, {}, {}, {}] });
});

test("a pi session gives back every message but the system prompt, which pi keeps elsewhere", async () => {
  const session = toPiSession(transcript, { id: "s1", cwd: "/w", timestamp: 0 });
  const file = await readTranscript(new TextEncoder().encode(session));
  expect(file.conversations[0]?.messages).toMatchObject(transcript.slice(1));
  expect(toPi(transcript).systemPrompt).toBe("Be brief.");
});

test("SC-01 a call id that comes again is answered by its own result, and is made unique where a provider wants it", () => {
  const again = (text: string): Message[] => [
    {
      id: `a-${text}`,
      role: "assistant",
      content: [{ type: "toolCall", id: "call_0", name: "run", arguments: {} }],
      stopReason: "toolUse",
    },
    {
      id: `r-${text}`,
      role: "toolResult",
      toolCallId: "call_0",
      toolName: "run",
      content: [{ type: "text", text }],
      isError: false,
    },
  ];
  const { messages } = toAnthropic([{ id: "u", role: "user", content: "go" }, ...again("a"), ...again("b")]);
  expect(messages.flatMap((message) => message.content.filter((block) => block.type === "tool_result"))).toEqual([
    { type: "tool_result", tool_use_id: "call_0", content: [{ type: "text", text: "a" }] },
    { type: "tool_result", tool_use_id: "call_0_2", content: [{ type: "text", text: "b" }] },
  ]);
});

test("SC-03 a command that printed nothing keeps its result, without blank text", () => {
  const silent: Message[] = [
    { id: "u", role: "user", content: "go" },
    {
      id: "a",
      role: "assistant",
      content: [{ type: "toolCall", id: "c", name: "run", arguments: {} }],
      stopReason: "toolUse",
    },
    {
      id: "r",
      role: "toolResult",
      toolCallId: "c",
      toolName: "run",
      content: [{ type: "text", text: " \n" }],
      isError: false,
    },
    {
      id: "b",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "…" },
        { type: "text", text: "" },
      ],
      stopReason: "stop",
    },
  ];
  expect(toOpenAiChat(silent).slice(2)).toEqual([{ role: "tool", tool_call_id: "c", content: "(no output)" }]);
  expect(toAnthropic(silent).messages.slice(2)).toEqual([
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c" }] },
  ]);
});

test("SE-02 a result whose call is gone and a call without a result are not sent", () => {
  const cut: Message[] = [
    { id: "u", role: "user", content: "go" },
    {
      id: "a",
      role: "assistant",
      content: [
        { type: "toolCall", id: "b", name: "run", arguments: {} },
        { type: "toolCall", id: "never", name: "run", arguments: {} },
      ],
      stopReason: "toolUse",
    },
    {
      id: "ra",
      role: "toolResult",
      toolCallId: "a",
      toolName: "run",
      content: [{ type: "text", text: "A" }],
      isError: false,
    },
    {
      id: "rb",
      role: "toolResult",
      toolCallId: "b",
      toolName: "run",
      content: [{ type: "text", text: "B" }],
      isError: false,
    },
  ];
  expect(toOpenAiChat(cut)).toEqual([
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "b", type: "function", function: { name: "run", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "b", content: "B" },
  ]);
});

test("half a surrogate pair goes from reasoning and from names as well, and a wild time stays a date", async () => {
  const wild: readonly Message[] = [
    { id: "u", role: "user", content: "go", timestamp: 1e300 },
    {
      id: "a",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm \uD83D", signature: "sig" },
        { type: "toolCall", id: "c\uD83D", name: "read\uD83D", arguments: {} },
      ],
      stopReason: "toolUse",
      model: "m\uD83D",
      provider: "p\uD83D",
    },
    { id: "r", role: "toolResult", toolCallId: "c\uD83D", toolName: "read\uD83D", content: [], isError: false },
  ];
  // Signed reasoning is valid byte for byte alone, so that it goes whole.
  expect(toAnthropic(wild).messages[1]?.content).toMatchObject([{ type: "tool_use" }]);
  expect(toAiSdk(wild).messages[1]?.content).toMatchObject([{ type: "tool-call" }]);
  expect(toPi(wild).messages[1]?.content[0]).toEqual({ type: "thinking", thinking: "hm \uFFFD" });
  const forms = [toAnthropic(wild), toAiSdk(wild), toOpenAiChat(wild, { withReasoning: true }), toPi(wild)];
  for (const form of [...forms, toPiSession(wild, { id: "s", cwd: "/w" })]) {
    expect(JSON.stringify(form)).not.toContain("ud83d");
  }
  expect(toPiSession(wild, { id: "s", cwd: "/w" })).toContain('"timestamp":"+275760-09-13T00:00:00.000Z"');
});

test("a message to Anthropic does not end in reasoning, also when the call it led to has no result", () => {
  const { messages } = toAnthropic([
    { id: "u", role: "user", content: "go" },
    {
      id: "a",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "first", signature: "s1" },
        { type: "text", text: "Looking." },
        { type: "thinking", thinking: "then", signature: "s2" },
        { type: "toolCall", id: "c", name: "read", arguments: {} },
      ],
      stopReason: "toolUse",
    },
  ]);
  expect(messages[1]?.content).toEqual([
    { type: "thinking", thinking: "first", signature: "s1" },
    { type: "text", text: "Looking." },
  ]);
});

test("a cost that is no number is not passed on to pi", () => {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { input: "much", total: 3 } };
  const [message] = toPi([{ id: "a", role: "assistant", content: [], stopReason: "stop", usage }]).messages;
  expect(message).toMatchObject({ usage: { cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 3 } } });
});

test.each([
  ["gpt-5-codex", undefined],
  ["openai/o3", "openrouter"],
  ["gemini-3-pro", "google"],
  [undefined, "openai"],
])("reasoning signed by %s of %s is not sent to Anthropic", (model, provider) => {
  const { messages } = toAnthropic([
    { id: "u", role: "user", content: "go" },
    {
      id: "a",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "sealed" },
        { type: "text", text: "Done." },
      ],
      stopReason: "stop",
      model,
      provider,
    },
  ]);
  expect(messages[1]?.content).toEqual([{ type: "text", text: "Done." }]);
});

test("reasoning of Claude goes back to Anthropic, whoever hosts it", () => {
  const content = [
    { type: "thinking", thinking: "hm", signature: "sig" },
    { type: "text", text: "Done." },
  ] as const;
  const { messages } = toAnthropic([
    { id: "u", role: "user", content: "go" },
    { id: "a", role: "assistant", content, stopReason: "stop", model: "claude-opus-4-5", provider: "google-vertex" },
  ]);
  expect(messages[1]?.content).toEqual(content);
});

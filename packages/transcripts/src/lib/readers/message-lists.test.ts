import { expect, test } from "vitest";
import { jsonDocument, jsonLines } from "../fixtures/json-lines.ts";
import { readTranscript } from "../read-transcript.ts";

async function read(document: unknown) {
  const { format, conversations } = await readTranscript(jsonDocument(document));
  return { format, messages: conversations[0]?.messages, compactions: conversations[0]?.compactions };
}

test("AI SDK model messages: a result that failed, one with a picture, a signature", async () => {
  const { format, messages } = await read([
    { role: "user", content: [{ type: "image", image: "aGk=", mediaType: "image/png" }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "sig" } } },
        { type: "tool-call", toolCallId: "c1", toolName: "run", input: { cmd: "ls" } },
        { type: "tool-call", toolCallId: "c2", toolName: "look", input: {} },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "c1", toolName: "run", output: { type: "error-text", value: "no" } },
        {
          type: "tool-result",
          toolCallId: "c2",
          toolName: "look",
          output: { type: "content", value: [{ type: "image-data", data: "aGk=", mediaType: "image/png" }] },
        },
      ],
    },
  ]);
  expect(format).toBe("ai-sdk");
  expect(messages).toMatchObject([
    { role: "user", content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] },
    { role: "assistant", content: [{ type: "thinking", signature: "sig" }, { id: "c1" }, { id: "c2" }] },
    { role: "toolResult", toolCallId: "c1", isError: true, content: [{ text: "no" }] },
    { role: "toolResult", toolCallId: "c2", isError: false, content: [{ type: "image", data: "aGk=" }] },
  ]);
});

test("AI SDK UI messages: each step is an assistant message and its results", async () => {
  const { format, messages } = await read([
    { id: "u", role: "user", parts: [{ type: "text", text: "weather?" }] },
    {
      id: "a",
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "tool-weather", toolCallId: "c1", state: "output-available", input: { city: "Ulm" }, output: { c: 3 } },
        { type: "step-start" },
        { type: "text", text: "3 degrees" },
      ],
    },
  ]);
  expect(format).toBe("ai-sdk-ui");
  expect(messages).toMatchObject([
    { id: "u" },
    { id: "a", content: [{ type: "toolCall", id: "c1", name: "weather", arguments: { city: "Ulm" } }] },
    { role: "toolResult", toolCallId: "c1", content: [{ text: '{"c":3}' }] },
    { role: "assistant", content: [{ text: "3 degrees" }] },
  ]);
});

test("OpenAI Responses: a request with input; a compaction item stays opaque and in place", async () => {
  const { format, messages, compactions } = await read({
    model: "gpt",
    instructions: "Be brief.",
    input: [
      { role: "user", content: "hi" },
      { type: "reasoning", id: "rs", summary: [] },
      { type: "function_call", call_id: "c1", name: "run", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "ok" },
      { type: "compaction", id: "cmp", encrypted_content: "sealed" },
      { role: "user", content: [{ type: "input_text", text: "go on" }] },
    ],
  });
  expect(format).toBe("openai-responses");
  expect(messages).toMatchObject([
    { role: "system", content: "Be brief." },
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "thinking" }, { type: "toolCall", id: "c1" }], model: "gpt" },
    { role: "toolResult", toolCallId: "c1", toolName: "run" },
    { role: "assistant", content: [{ type: "opaque", value: { type: "compaction" } }] },
    { role: "user" },
  ]);
  expect(compactions).toMatchObject([{ at: 4, summary: null, replaces: "prefix", opaque: { id: "cmp" } }]);
});

test("Anthropic messages: results, then what the user said beside them", async () => {
  const { format, messages } = await read([
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: "c1", name: "run", input: {} },
        { type: "redacted_thinking", data: "x" },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", is_error: true },
        { type: "text", text: "stop" },
      ],
    },
  ]);
  expect(format).toBe("anthropic-messages");
  expect(messages?.slice(1)).toMatchObject([
    { content: [{ id: "c1" }, { type: "opaque", value: { type: "redacted_thinking", data: "x" } }] },
    { role: "toolResult", toolName: "run", content: [], isError: true },
    { role: "user", content: [{ text: "stop" }] },
  ]);
});

test("OpenAI Chat: a message a line, legacy function calls, arguments that are no JSON", async () => {
  const file = await readTranscript(
    jsonLines(
      { role: "user", content: "go" },
      { role: "assistant", content: null, function_call: { name: "run", arguments: '{"a":' } },
      { role: "function", name: "run", content: "ok" },
      { role: "critic", content: "?" },
    ),
  );
  expect(file.format).toBe("openai-chat");
  expect(file.diagnostics).toEqual([{ problem: 'message 3 has the unknown role "critic"', action: "set aside" }]);
  expect(file.conversations[0]?.messages).toMatchObject([
    { role: "user" },
    { role: "assistant", content: [{ id: "call-0", name: "run", arguments: {}, rawArguments: '{"a":' }] },
    { role: "toolResult", toolCallId: "call-0", toolName: "run" },
  ]);
});

test("Google's contents: responses leave the user's role and pair by name", async () => {
  const { format, messages } = await read([
    { role: "user", parts: [{ text: "go" }] },
    { role: "model", parts: [{ functionCall: { name: "a", args: {} } }, { functionCall: { name: "b", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { name: "b", response: { output: "B" } } }, { text: "and?" }] },
  ]);
  expect(format).toBe("gemini-contents");
  expect(messages?.slice(1)).toMatchObject([
    { role: "assistant", content: [{ id: "call-0" }, { id: "call-1" }] },
    { role: "toolResult", toolCallId: "call-1", toolName: "b", content: [{ text: "B" }] },
    { role: "user", content: [{ text: "and?" }] },
  ]);
});

test("LangChain's stored messages, with the classes as types", async () => {
  const { format, messages } = await read([
    { type: "human", data: { content: "go", id: "h" } },
    { type: "ai", data: { content: "", tool_calls: [{ name: "run", args: {}, id: "c" }] } },
    { type: "tool", data: { content: "bad", tool_call_id: "c", status: "error" } },
  ]);
  expect(format).toBe("langchain");
  expect(messages).toMatchObject([{ id: "h" }, { content: [{ id: "c" }] }, { toolName: "run", isError: true }]);
});

test("requests a line are a conversation each", async () => {
  const file = await readTranscript(
    jsonLines({ messages: [{ role: "user", content: "one" }] }, "{ broken", {
      messages: [{ role: "user", content: "two" }],
    }),
  );
  expect(file.conversations.map(({ id, messages }) => [id, messages.length])).toEqual([
    ["conversation", 1],
    ["conversation#2", 1],
  ]);
  expect(file.diagnostics).toHaveLength(1);
});

test("two messages in a row that are the same are two messages", async () => {
  const same = { role: "function", name: "run", content: "ok" };
  const call = { role: "assistant", content: null, function_call: { name: "run", arguments: "{}" } };
  const file = await readTranscript(jsonLines({ role: "user", content: "go" }, call, call, same, same));
  expect(file.conversations[0]?.messages).toHaveLength(5);
});

test("an answer in Gemini CLI's chat file is read as a text or as parts", async () => {
  const answers = ["One.", [{ text: "Two." }, "Three."]].map((content) => ({ type: "gemini", content }));
  const { format, conversations } = await readTranscript(jsonDocument({ sessionId: "s", messages: answers }));
  expect(format).toBe("gemini-cli");
  expect(conversations[0]?.messages.map(({ content }) => content)).toEqual([
    [{ type: "text", text: "One." }],
    [
      { type: "text", text: "Two." },
      { type: "text", text: "Three." },
    ],
  ]);
});

test("LangChain's flat messages are read, as a list or as the state of a graph; calls it did not parse stay opaque", async () => {
  const messages = [
    { type: "human", id: "h", content: "go" },
    {
      type: "ai",
      content: [{ type: "text", text: "Reading." }],
      tool_calls: [{ id: "c", name: "read", args: { a: 1 } }],
    },
    { type: "tool", tool_call_id: "c", name: "read", status: "success", content: "x" },
    { type: "ai", content: [{ type: "tool_use", id: "d", name: "read", input: "{" }], tool_calls: [] },
  ];
  for (const document of [messages, { values: { messages } }]) {
    const { format, conversations } = await readTranscript(jsonDocument(document));
    expect(format).toBe("langchain");
    expect(conversations[0]?.messages).toMatchObject([
      { id: "h", role: "user", content: "go" },
      { role: "assistant", content: [{ text: "Reading." }, { type: "toolCall", id: "c", arguments: { a: 1 } }] },
      { role: "toolResult", toolCallId: "c", content: [{ text: "x" }], isError: false },
      { role: "assistant", content: [{ type: "opaque", value: { type: "tool_use", id: "d" } }] },
    ]);
  }
});

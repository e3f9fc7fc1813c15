import type { AssistantContentPart, Message } from "@holdfast/message-schema";
import { describe, expect, test } from "vitest";
import { messageTokens } from "./message-tokens.ts";

/** A token a character, so that what is added stands out. */
const characters = (text: string) => text.length;

function assistant(...content: AssistantContentPart[]): Message {
  return { id: "a1", role: "assistant", content, stopReason: "stop" };
}

test("a message of plain text is its text and 4", () => {
  expect(messageTokens({ id: "u1", role: "user", content: "hello" }, characters)).toBe(4 + 5);
  expect(messageTokens({ id: "s1", role: "system", content: "" }, characters)).toBe(4);
});

test("each part of a message costs 2 more", () => {
  const content = [
    { type: "text", text: "one" },
    { type: "text", text: "three" },
  ] as const;
  expect(messageTokens({ id: "u1", role: "user", content }, characters)).toBe(4 + 2 + 3 + 2 + 5);
});

test("a tool call counts its name, its arguments as JSON, and 8", () => {
  const call = { type: "toolCall", id: "c1", name: "read", arguments: { path: "a.ts" } } as const;
  expect(messageTokens(assistant(call), characters)).toBe(4 + 2 + 8 + 4 + '{"path":"a.ts"}'.length);
});

test("a tool result counts the tool's name, its content, and 8", () => {
  const result: Message = {
    id: "r1",
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content: [{ type: "text", text: "contents" }],
    isError: false,
  };
  expect(messageTokens(result, characters)).toBe(4 + 8 + 4 + 2 + 8);
});

test("tool arguments of any depth, circular or with a bigint are counted, not thrown at", () => {
  const nested = JSON.parse(`{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`);
  const circular: { path: string; self?: unknown } = { path: "a.ts" };
  circular.self = circular;
  const call = (args: Readonly<Record<string, unknown>>) =>
    messageTokens(assistant({ type: "toolCall", id: "c1", name: "read", arguments: args }), characters) - 4 - 2 - 8 - 4;
  expect(call(nested)).toBe('{"a":}'.length + 40_000);
  expect(call(circular)).toBe('{"path":"a.ts","self":null}'.length);
  expect(call({ size: 2n ** 64n })).toBe('{"size":18446744073709551616}'.length);
  expect(messageTokens(assistant({ type: "opaque", value: circular }), characters)).toBe(4 + 2 + 27);
});

test("a part of an unknown kind counts as its JSON", () => {
  const value = { type: "audio", data: "xyz" };
  expect(messageTokens(assistant({ type: "opaque", value }), characters)).toBe(4 + 2 + JSON.stringify(value).length);
  expect(messageTokens(assistant({ type: "opaque" }), characters)).toBe(4 + 2);
});

describe("reasoning", () => {
  test("counts as its text, when that is all there is", () => {
    expect(messageTokens(assistant({ type: "thinking", thinking: "because" }), characters)).toBe(4 + 2 + 7);
  });

  test("a short signature costs nothing", () => {
    const part = { type: "thinking", thinking: "because", signature: "x".repeat(200) } as const;
    expect(messageTokens(assistant(part), characters)).toBe(4 + 2 + 7);
  });

  test("reasoning that is sealed in its signature is charged by the signature's length", () => {
    const part = { type: "thinking", thinking: "", signature: "x".repeat(4_000) } as const;
    expect(messageTokens(assistant(part), characters)).toBe(4 + 2 + (3_000 - 200) / 5);
  });
});

test("an image costs 1,600, however long its encoding", () => {
  const image = (data: string) => ({ type: "image", data, mimeType: "image/png" }) as const;
  const small: Message = { id: "u1", role: "user", content: [image("iVBO")] };
  const large: Message = { id: "u1", role: "user", content: [image("iVBO".repeat(800_000))] };
  expect(messageTokens(small, characters)).toBe(4 + 2 + 1_600);
  expect(messageTokens(large, characters)).toBe(4 + 2 + 1_600);
});

test("an image in a tool result costs what it costs anywhere", () => {
  const result: Message = {
    id: "r1",
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content: [{ type: "image", data: "iVBO".repeat(800_000), mimeType: "image/png" }],
    isError: false,
  };
  expect(messageTokens(result, characters)).toBe(4 + 8 + 4 + 2 + 1_600);
});

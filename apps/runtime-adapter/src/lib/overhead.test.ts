import { expect, test } from "vitest";
import { overheadOf } from "./overhead.ts";

const counter = { countText: (text: string) => text.length, countMessage: () => 1 };

test("system prompt and tool schemas are counted as they are sent", () => {
  expect(overheadOf({ messages: [], system: "abc", tools: [{ a: 1 }] }, counter)).toBe(3 + '[{"a":1}]'.length);
  expect(overheadOf({ messages: [] }, counter)).toBe(0);
});

test("a given overhead replaces the count, and one that is no count is refused by name", () => {
  expect(overheadOf({ messages: [], system: "abc", overheadTokens: 7 }, counter)).toBe(7);
  expect(() => overheadOf({ messages: [], overheadTokens: -1 }, counter)).toThrow(
    new RangeError("overheadTokens must be 0 or more, got -1"),
  );
  expect(() => overheadOf({ messages: [], overheadTokens: Number.NaN }, counter)).toThrow("got NaN");
});

test("a system prompt that is no text is refused by name", () => {
  const input = { messages: [], system: [{ type: "text", text: "abc" }] as unknown as string };
  expect(() => overheadOf(input, counter)).toThrow(new TypeError("system must be a string, got object"));
});

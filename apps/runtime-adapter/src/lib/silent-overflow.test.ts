import type { AssistantMessage } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { isSilentOverflow } from "./silent-overflow.ts";

function answer(stopReason: AssistantMessage["stopReason"], content: AssistantMessage["content"], totalTokens = 0) {
  const usage = { input: totalTokens, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens };
  return { id: "a1", role: "assistant", content, stopReason, ...(totalTokens > 0 ? { usage } : {}) } as const;
}
const text = { type: "text", text: "Well." } as const;
const blank = { type: "text", text: " \n" } as const;
const thinking = { type: "thinking", thinking: "Hm." } as const;
const call = { type: "toolCall", id: "c1", name: "read", arguments: {} } as const;

test("more usage than the window holds is an overflow, whatever was said", () => {
  expect(isSilentOverflow(answer("stop", [text], 32_001), 32_000)).toBe(true);
  expect(isSilentOverflow(answer("stop", [text], 32_000), 32_000)).toBe(false);
  expect(isSilentOverflow(answer("stop", [text], 32_001), undefined)).toBe(false);
  expect(isSilentOverflow(answer("stop", [text], 32_001), null)).toBe(false);
});

test("a stop at the output limit before any text or call is one, and after some it is none", () => {
  for (const content of [[], [blank], [thinking], [thinking, blank]]) {
    expect(isSilentOverflow(answer("length", content), undefined)).toBe(true);
    expect(isSilentOverflow(answer("stop", content), 32_000)).toBe(false);
  }
  expect(isSilentOverflow(answer("length", [text]), 32_000)).toBe(false);
  expect(isSilentOverflow(answer("length", [thinking, call]), 32_000)).toBe(false);
});

test("only an answer can be one", () => {
  expect(isSilentOverflow({ id: "u1", role: "user", content: "" }, 1)).toBe(false);
});

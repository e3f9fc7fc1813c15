import { expect, test } from "vitest";
import type { Message } from "./message.ts";
import { shape } from "./shape.ts";

const countTokens = (message: Message) => {
  const text = typeof message.content === "string" ? message.content : JSON.stringify(message.content);
  return Math.ceil([...text].reduce((sum, character) => sum + (character > "\u2e7f" ? 1 : 0.25), 0));
};

test.each([
  ["ends", `${"漢".repeat(200)}${"x".repeat(40_000)}${"漢".repeat(200)}`],
  ["middle", `${"x".repeat(20_000)}${"漢".repeat(4000)}${"x".repeat(20_000)}`],
  ["head", `${"漢".repeat(5000)}${"x".repeat(40_000)}`],
])("a text that is denser at its %s fills most of what it may take", (_, text) => {
  for (const maxTokens of [500, 2000, 4000, 8000]) {
    const short = shape.shorten({ id: "u", role: "user", content: text }, maxTokens, countTokens);
    expect(countTokens(short)).toBeLessThanOrEqual(maxTokens);
    expect(countTokens(short)).toBeGreaterThan(maxTokens / 2);
  }
});

import type { Message } from "@holdfast/message-schema";
import { createTokenCounter } from "@holdfast/token-counter";
import { createEstimator } from "@holdfast/token-counter/estimate";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Counter } from "./compactor-options.ts";
import { good, sent, setup } from "./fixtures/compactor-setup.ts";

const model = { contextWindow: 200_000, maxOutputTokens: 32_000 };
const counters: Record<string, Counter> = { estimator: createEstimator() };
let exact: Awaited<ReturnType<typeof createTokenCounter>>;
beforeAll(async () => {
  exact = await createTokenCounter();
  counters["exact counter"] = exact;
});
afterAll(() => exact.dispose());

/** As random as base64 of a picture is, the same in every run. */
function base64(characters: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let state = 1;
  return Array.from({ length: characters }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return alphabet[state >>> 26];
  }).join("");
}

function picture(id: string, data: string): Message {
  const image = { type: "image" as const, data, mimeType: "image/png" };
  return { id, role: "user", content: [{ type: "text", text: "What is this?" }, image] };
}

test.each(["estimator", "exact counter"])(
  "TK-03 a picture of 3.3 MB in a new chat is sent, and nothing is compacted, with the %s",
  async (name) => {
    const { compactor, asked } = setup(() => good, { model, counter: counters[name] });
    const prompt = picture("u1", base64(3_300_000));
    const request = sent(await compactor.prepareRequest({ messages: [prompt] }));
    expect(request.compaction).toBeUndefined();
    expect(request.messages[0]).toBe(prompt);
    expect(request.tokens).toBeLessThan(10_000);
    expect(asked).toHaveLength(0);
    // Pictures are not free either.
    const small = base64(400_000);
    const many = Array.from({ length: 30 }, (_, index) => picture(`u${index}`, small));
    const album = sent(await compactor.prepareRequest({ messages: many }));
    expect(album.compaction).toBeUndefined();
    expect(album.tokens).toBeGreaterThan(20 * request.tokens);
  },
);

test("TK-03 a data URL in a text result is counted as what it costs, so the request never goes out with it whole", async () => {
  const { compactor } = setup(() => good, { model, counter: exact });
  const call = { type: "toolCall" as const, id: "c1", name: "read", arguments: { path: "a.png" } };
  const text = `data:image/png;base64,${base64(1_000_000)}`;
  const messages: Message[] = [
    { id: "u1", role: "user", content: "Look at a.png." },
    { id: "a1", role: "assistant", content: [call], stopReason: "toolUse" },
    {
      id: "r1",
      role: "toolResult",
      toolCallId: "c1",
      toolName: "read",
      content: [{ type: "text", text }],
      isError: false,
    },
  ];
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.compaction?.tokensBefore).toBeGreaterThan(600_000);
  expect(request.compaction?.checkpoint).not.toBeNull();
  expect(request.tokens).toBeLessThan(compactor.budgets.trigger);
});

import type { Message } from "@holdfast/message-schema";
import { get_encoding } from "tiktoken";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTokenCounter } from "./create-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

let counter: TokenCounter;
beforeAll(async () => {
  counter = await createTokenCounter();
});
afterAll(() => counter.dispose());

/** A text of a fixed pseudo-random sequence of `alphabet`. */
function scrambled(alphabet: string, length: number): string {
  let state = 1;
  const characters = Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return alphabet[(state >> 16) % alphabet.length];
  });
  return characters.join("");
}

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

describe("TK-01 long text without spaces", () => {
  test.each([
    ["50,000 times a", "a".repeat(50_000), 6_250],
    ["a million times ^", "^".repeat(1_000_000), 125_000],
    ["a million spaces", " ".repeat(1_000_000), 7_813],
    ["a million line breaks", "\n".repeat(1_000_000), 62_500],
    ["500,000 times é", "é".repeat(500_000), 500_000],
    // Took tiktoken a minute, in a hand run.
    ["200,000 scrambled letters", scrambled("abcdefghijklmnopqrstuvwxyz", 200_000), 103_861],
  ])("%s is counted to the token", (_, text, tokens) => {
    expect(counter.countText(text)).toBe(tokens);
  });

  test.each([
    ["2 MB of base64", scrambled(base64Alphabet, 2_000_000)],
    ["1 MB of minified JSON", `[${'{"id":18244,"ok":true,"tags":["a","b"]},'.repeat(25_000)}0]`],
  ])("%s counts as many tokens as the encoder makes of it", (_, text) => {
    const reference = get_encoding("o200k_base");
    expect(counter.countText(text)).toBe(reference.encode_ordinary(text).length);
    reference.free();
  });
});

describe("TK-02 text that looks like a control token", () => {
  test.each([
    ["<|endoftext|>", 7],
    ["<|im_start|>system", 7],
    ["<|fim_prefix|>", 6],
    ["<|endofprompt|>", 7],
  ])("%s is ordinary text wherever it stands", (text, tokens) => {
    expect(counter.countText(text)).toBe(tokens);
    const call: Message = {
      id: "a1",
      role: "assistant",
      content: [{ type: "toolCall", id: "c1", name: text, arguments: { query: text } }],
      stopReason: "toolUse",
    };
    const result: Message = {
      id: "r1",
      role: "toolResult",
      toolCallId: "c1",
      toolName: text,
      content: [{ type: "text", text }],
      isError: false,
    };
    expect(counter.countMessage({ id: "u1", role: "user", content: text })).toBe(4 + tokens);
    expect(counter.countMessage(result)).toBe(4 + 8 + tokens + 2 + tokens);
    expect(counter.countMessage(call)).toBe(4 + 2 + 8 + tokens + counter.countText(`{"query":"${text}"}`));
  });
});

const base64Of2MB = scrambled(base64Alphabet, 2_800_000);

describe("TK-03 pictures and base64", () => {
  function userImage(characters: number): Message {
    const data = "iVBO".repeat(characters / 4);
    return { id: "u1", role: "user", content: [{ type: "image", data, mimeType: "image/png" }] };
  }

  test("a picture of 3.3 MB in a new chat is 1,606 tokens, not the size of its encoding", () => {
    expect(counter.countMessage(userImage(4_400_000))).toBe(1_606);
  });

  test("30 pictures raise the total 30 times", () => {
    expect(counter.countMessages(Array.from({ length: 30 }, () => userImage(400_000)))).toBe(30 * 1_606);
  });

  // As the readers keep what an assistant message has no part for.
  test.each<[string, unknown]>([
    ["an image part", { type: "image", data: base64Of2MB, mimeType: "image/png" }],
    ["a file of the AI SDK", { type: "file", mediaType: "image/png", data: base64Of2MB }],
    ["a call to a provider's image tool", { type: "image_generation_call", status: "completed", result: base64Of2MB }],
    ["a data URL", { type: "image_url", image_url: { url: `data:image/png;base64,${base64Of2MB}` } }],
    ["an array of bytes", { type: "file", mediaType: "image/png", data: new Uint8Array(2_000_000) }],
  ])("a picture of 2 MB that an assistant sent as %s is one picture", (_, value) => {
    const message: Message = { id: "a1", role: "assistant", content: [{ type: "opaque", value }], stopReason: "stop" };
    const tokens = counter.countMessage(message);
    expect(tokens).toBeGreaterThan(4 + 2 + 1_600);
    expect(tokens).toBeLessThan(4 + 2 + 1_600 + 40);
  });

  test("a data URL inside a text result is counted as the text it is", () => {
    const text = `data:image/png;base64,${scrambled(base64Alphabet, 1_000_000)}`;
    const result: Message = {
      id: "r1",
      role: "toolResult",
      toolCallId: "c1",
      toolName: "fetch",
      content: [{ type: "text", text }],
      isError: false,
    };
    const tokens = counter.countMessage(result);
    expect(tokens / text.length).toBeGreaterThan(0.66);
    expect(tokens / text.length).toBeLessThan(0.7);
  });
});

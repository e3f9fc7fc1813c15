import { describe, expect, test } from "vitest";
import { opaqueTokens } from "./opaque-tokens.ts";

/** A token a character, so that what is added stands out. */
const characters = (text: string) => text.length;

function tokensOf(value: unknown): number {
  return opaqueTokens(value, characters);
}

describe("a value that no schema knows", () => {
  test("counts as its JSON", () => {
    expect(tokensOf({ type: "audio", ids: [1, "two"] })).toBe('{"type":"audio","ids":[1,"two"]}'.length);
    expect(tokensOf(undefined)).toBe(0);
  });

  test("counts 1,600 for each picture in it, however deep and however long", () => {
    const data = "iVBO".repeat(300);
    const pictures = { one: data, more: [{ source: { data: "iVBO".repeat(500_000) } }] };
    expect(tokensOf(pictures)).toBe('{"one":"","more":[{"source":{"data":""}}]}'.length + 2 * 1_600);
    expect(tokensOf(data)).toBe('""'.length + 1_600);
  });

  test.each([
    ["base64 of 1,024 characters", "A".repeat(1_022).concat("==")],
    ["base64 for URLs", "-_".repeat(512)],
    ["base64 in lines", `${"A".repeat(76)}\r\n`.repeat(20)],
    ["a data URL", `data:image/svg+xml;charset=utf-8;base64,${"A".repeat(1_024)}`],
    ["bytes", new Uint8Array(3)],
    ["a buffer", Buffer.from("bytes")],
    ["an array buffer", new ArrayBuffer(3)],
  ])("takes %s for binary data", (_, value) => {
    expect(tokensOf([value])).toBe('[""]'.length + 1_600);
  });

  test.each([
    ["a shorter string", "A".repeat(1_023)],
    ["a text", "word ".repeat(300)],
    ["base64 with text around it", `see ${"A".repeat(2_000)}`],
    ["a data URL that is text", `data:text/html,${"A".repeat(2_000)}`],
  ])("takes %s for text", (_, value) => {
    expect(tokensOf([value])).toBe(value.length + '[""]'.length);
  });
});

describe("sealed reasoning", () => {
  const seal = "x".repeat(4_000);
  const tokensOfSeal = (3_000 - 200) / 5;

  test("that was redacted costs what reasoning sealed in a signature costs", () => {
    const json = '{"type":"redacted_thinking","data":""}';
    expect(tokensOf({ type: "redacted_thinking", data: seal })).toBe(json.length + tokensOfSeal);
    expect(tokensOf({ type: "redacted_thinking", data: "x".repeat(200) })).toBe(json.length);
  });

  test("in an item of another kind costs the same", () => {
    const json = '{"type":"compaction","encrypted_content":""}';
    expect(tokensOf({ type: "compaction", encrypted_content: seal })).toBe(json.length + tokensOfSeal);
  });
});

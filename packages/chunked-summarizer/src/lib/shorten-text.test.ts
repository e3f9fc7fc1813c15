import { describe, expect, it } from "vitest";
import { shortenText } from "./shorten-text.ts";

/** A token is a UTF-16 code unit. */
const counter = { countText: (text: string) => text.length };

describe("a shortened text", () => {
  it("keeps its head and its tail, and says how much is gone", () => {
    const text = `${"h".repeat(500)}${"t".repeat(500)}`;
    expect(shortenText(text, { counter, maxTokens: 1000 })).toBe(text);
    expect(shortenText(text, { counter, maxTokens: 100 })).toBe(
      `${"h".repeat(35)}\n[… 931 characters left out …]\n${"t".repeat(34)}`,
    );
  });

  it.each([100, 101, 102, 103])("is well formed where its ends fall inside a pair, of %i tokens", (maxTokens) => {
    for (const text of ["🙂".repeat(500), `a${"🙂".repeat(500)}`, `${"🙂".repeat(500)}a`]) {
      const shortened = shortenText(text, { counter, maxTokens });
      expect(shortened).not.toMatch(/\p{Surrogate}/u);
      expect(shortened).toContain("characters left out");
      expect(shortened.length).toBeLessThanOrEqual(maxTokens);
    }
  });

  it("is empty where not even the marker fits", () => {
    expect(shortenText("x".repeat(100), { counter, maxTokens: 10 })).toBe("");
  });
});

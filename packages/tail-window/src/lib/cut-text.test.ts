import { describe, expect, it } from "vitest";
import { cutText } from "./cut-text.ts";

describe("cutText", () => {
  it("leaves a text that fits, and one too short for a marker, as it is", () => {
    expect(cutText("short", 5)).toBe("short");
    expect(cutText("forty characters at most are never cut", 1)).toBe("forty characters at most are never cut");
  });

  it("keeps head and tail around what is gone", () => {
    expect(cutText(`${"a".repeat(50)}${"b".repeat(50)}`, 60)).toBe(
      `${"a".repeat(10)}[… 80 characters left out …]${"b".repeat(10)}`,
    );
    expect(cutText("a".repeat(100), 0)).toBe("[… 100 characters left out …]");
  });

  it("never cuts inside a surrogate pair", () => {
    for (let length = 41; length < 60; length++) {
      expect(cutText("🪸".repeat(50), length)).toMatch(/^(🪸)*\[… \d+ characters left out …\](🪸)*$/u);
    }
  });

  it("has one marker with the sum after a second cut, also where the cut falls into the first marker", () => {
    let text = "x".repeat(5_000);
    for (const length of [3_000, 2_990, 700, 100, 62, 41, 40]) {
      text = cutText(text, length);
      const [marker, gone] = /\[… (\d+) characters left out …\]/.exec(text) ?? [""];
      expect(text.split("characters left out").length).toBe(2);
      expect(Number(gone) + text.length - marker.length).toBe(5_000);
      expect(text.length).toBeLessThanOrEqual(length);
    }
  });
});

import { describe, expect, it } from "vitest";
import { cutText } from "./cut-text.ts";

describe("cutText", () => {
  it("leaves a text that fits, and one too short for a marker, as it is", () => {
    expect(cutText("short", 5)).toBe("short");
    expect(cutText("forty characters at most are never cut", 0)).toBe("forty characters at most are never cut");
  });

  it("keeps head and tail around what is gone", () => {
    expect(cutText(`${"a".repeat(50)}${"b".repeat(50)}`, 20)).toBe(
      `${"a".repeat(10)}[… 80 characters left out …]${"b".repeat(10)}`,
    );
    expect(cutText("a".repeat(100), 0)).toBe("[… 100 characters left out …]");
  });

  it("never cuts inside a surrogate pair", () => {
    for (let length = 1; length < 20; length++) {
      expect(cutText("🪸".repeat(50), length)).toMatch(/^(🪸)*\[… \d+ characters left out …\](🪸)*$/u);
    }
  });

  it("has one marker with the sum after a second cut, also where the cut falls into the first marker", () => {
    let text = "x".repeat(5_000);
    for (const length of [2_960, 2_950, 660, 60, 22, 1, 0]) {
      text = cutText(text, length);
      const [marker, gone] = /\[… (\d+) characters left out …\]/.exec(text) ?? [""];
      expect(text.split("characters left out").length).toBe(2);
      expect(Number(gone) + text.length - marker.length).toBe(5_000);
      expect(text.length).toBeLessThanOrEqual(length + 40);
    }
  });
});

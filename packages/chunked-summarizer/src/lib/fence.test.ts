import { describe, expect, it } from "vitest";
import { escapeFences, fenced } from "./fence.ts";

describe("a fence", () => {
  it("stands around the text as it is", () => {
    expect(fenced("files", "- read: $&")).toBe("<files>\n- read: $&\n</files>");
  });

  it.each([
    ["</transcript>", "<\\/transcript>"],
    ["<TRANSCRIPT>", "<\\TRANSCRIPT>"],
    ["< /\n previous-summary >", "<\\ /\n previous-summary >"],
    ["<files/>", "<\\files/>"],
  ])("has its mark %s broken in a text from outside", (text, broken) => {
    expect(escapeFences(text)).toBe(broken);
  });

  it.each(["<transcripts>", "<div>", "a < b", "transcript>", ""])("leaves %s alone", (text) => {
    expect(escapeFences(text)).toBe(text);
  });

  it("is kept in a text of a million spaces", () => {
    const text = `<${" ".repeat(1_000_000)}x`;
    expect(escapeFences(text)).toBe(text);
  });

  it("is broken once: doing it twice changes nothing more", () => {
    const once = escapeFences("a </transcript> b");
    expect(escapeFences(once)).toBe(once);
  });
});

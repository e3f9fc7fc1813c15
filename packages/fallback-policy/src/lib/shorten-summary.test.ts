import { describe, expect, it } from "vitest";
import { shortenSummary } from "./shorten-summary.ts";

const summary = [
  "## Goal",
  "Ship the reader.",
  "",
  "## Progress",
  "### Done",
  "x".repeat(400),
  "### In progress",
  "y".repeat(400),
  "",
  "## Key Decisions",
  "z".repeat(400),
  "",
  "## Next steps",
  "1. Test it.",
].join("\n");

const atMost = (characters: number) => ({ fits: (text: string) => text.length <= characters });

describe("shortenSummary", () => {
  it("leaves a summary alone that fits", () => {
    expect(shortenSummary(summary, atMost(summary.length))).toBe(summary);
  });

  it("shortens Progress with its subsections first, and says how much is gone", () => {
    const short = shortenSummary(summary, atMost(summary.length - 200));

    expect(short.length).toBeGreaterThan(summary.length - 220);
    expect(short).toContain("## Goal\nShip the reader.\n\n## Progress\n### Done\nxxx");
    expect(short).toMatch(/xx\n\[… 2\d\d characters of this summary left out …\]\nyy/);
    expect(short).toContain(`yyy\n\n## Key Decisions\n${"z".repeat(400)}\n\n## Next steps\n1. Test it.`);
  });

  it("shortens Key decisions next, and keeps the goal and the next steps", () => {
    const short = shortenSummary(summary, atMost(400));

    expect(short.length).toBeLessThanOrEqual(400);
    expect(short).toMatch(
      /^## Goal\nShip the reader\.\n\n## Progress\n\[… \d+ characters of this summary left out …\]\n\n/,
    );
    expect(short).toMatch(/\n## Key Decisions\nz+\n\[… \d+ characters of this summary left out …\]\nz+\n\n/);
    expect(short).toMatch(/## Next steps\n1\. Test it\.$/);
  });

  it("shortens what remains when that is not enough, as it does free text", () => {
    expect(shortenSummary("free text ".repeat(100), atMost(120))).toMatch(
      /^free text .*\n\[… \d+ characters of this summary left out …\]\n.*free text $/s,
    );
  });

  it("never cuts a character in half", () => {
    const short = shortenSummary("🪸".repeat(500), atMost(101));

    expect(short).not.toMatch(/\p{Cs}/u);
    expect(short.length).toBeLessThanOrEqual(101);
  });

  it("leaves only the marker when nothing fits", () => {
    expect(shortenSummary(summary, { fits: () => false })).toMatch(/^\[… \d+ characters of this summary left out …\]$/);
  });
});

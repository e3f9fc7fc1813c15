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

  it.each([
    ["in bold", (name: string) => `**${name}**`],
    ["in bold with a colon", (name: string) => `**${name}:**`],
    ["with underscores", (name: string) => `__${name}__`],
    ["without a space", (name: string) => `##${name}`],
    ["at another level", (name: string) => `#### ${name}`],
    ["indented", (name: string) => `   ## ${name}`],
    ["in capitals, closed", (name: string) => `## ${name.toUpperCase()} ##`],
  ])("knows the sections by headings %s", (_, heading) => {
    const steps = Array.from({ length: 30 }, (_, n) => `- step ${n}`).join("\n");
    const done = `**Done**\n${"x".repeat(300)}\n**In progress**\n${"y".repeat(300)}`;
    const body = `${heading("Key decisions")}\n${"z".repeat(300)}\n\n${heading("Next steps")}\n${steps}`;
    const long = `${heading("Goal")}\nShip it.\n\n${heading("Progress")}\n${done}\n\n${body}`;

    expect(shortenSummary(long, atMost(long.length - 400))).toMatch(/x\n\[… 4\d\d characters of this .*\]\ny/);
    expect(shortenSummary(long, atMost(long.length - 400)).endsWith(body)).toBe(true);
    expect(shortenSummary(long, atMost(long.length - 700))).toContain("Ship it.");
    expect(shortenSummary(long, atMost(long.length - 700)).endsWith(`${heading("Next steps")}\n${steps}`)).toBe(true);
  });

  it("keeps Next steps whole where its heading stands deeper than that of Progress", () => {
    const nested = `# Goal\nShip it.\n\n# Progress\n${"x".repeat(300)}\n\n## Next steps\n${"- a step\n".repeat(30)}- end`;

    expect(shortenSummary(nested, atMost(nested.length - 200)).endsWith(nested.slice(nested.indexOf("## Next")))).toBe(
      true,
    );
  });

  it("takes a word in bold inside Progress for no section of its own", () => {
    const bold = `## Progress\n**Careful**: ${"x".repeat(300)}\n**Risk**\n${"y".repeat(300)}\n## Next steps\nTest it.`;

    expect(shortenSummary(bold, atMost(300))).toMatch(/x\n\[… .*\]\ny+\n## Next steps\nTest it\.$/);
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

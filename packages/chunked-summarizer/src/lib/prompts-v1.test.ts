import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { PROMPT_VERSION, SYSTEM_PROMPT, summaryPrompt } from "./prompts-v1.ts";

const parts = { transcript: "[user]\nHi\n\n", previousSummary: "", files: "", maxOutputTokens: 1000 };

describe("holdfast-summary@1", () => {
  it("is frozen: other words are another version", () => {
    expect(PROMPT_VERSION).toBe("holdfast-summary@1");
    const corrections = ["blank", "sections_missing", "cut_off", "tool_call", "refusal"] as const;
    const everything = [
      SYSTEM_PROMPT,
      summaryPrompt({ ...parts, instructions: "Be brief." }),
      summaryPrompt({ ...parts, previousSummary: "OLD", files: "- read: a" }),
      ...corrections.map((correction) => summaryPrompt({ ...parts, correction })),
    ];
    expect(createHash("sha256").update(everything.join("\0")).digest("hex")).toBe(
      "9941a07e6b1e8a25e13c332a438fbd78b1d0281516392cb0afcf4e03bf75b0b9",
    );
  });

  it("asks for the sections in their order and for the language of the conversation", () => {
    const headings = summaryPrompt(parts).match(/^## .*/gm);
    expect(headings).toEqual([
      "## Goal",
      "## Constraints and preferences",
      "## Progress",
      "## Key decisions",
      "## Next steps",
      "## Critical context",
    ]);
    expect(summaryPrompt(parts)).toContain("in the language of the conversation");
    expect(summaryPrompt(parts)).toContain("Write at most 500 words.");
  });

  it("shows only what there is: first, update, last with files, corrective", () => {
    expect(summaryPrompt(parts)).not.toMatch(/<previous-summary>|<files>|Your last reply|adds:/);
    const update = summaryPrompt({ ...parts, previousSummary: "OLD" });
    expect(update).toMatch(
      /^<previous-summary>\nOLD\n<\/previous-summary>\n\n<transcript>\n\[user\]\nHi\n\n\n<\/transcript>/,
    );
    expect(summaryPrompt({ ...parts, files: "- read: a" })).toContain("<files>\n- read: a\n</files>");
    expect(summaryPrompt({ ...parts, correction: "blank" })).toMatch(/Your last reply was empty\. [^\n]*$/);
  });

  it("puts texts in as they are, whatever a replacement pattern would make of them", () => {
    expect(summaryPrompt({ ...parts, transcript: "$& $1 $' $`", instructions: "$&" })).toContain(
      "<transcript>\n$& $1 $' $`\n</transcript>",
    );
  });
});

import { describe, expect, it } from "vitest";
import { acceptAnswer } from "./accept-answer.ts";
import { summaryOf } from "./fixtures/conversation.ts";

function accept(text: string, reservedMarks?: readonly string[]) {
  return acceptAnswer({ text, stopReason: "stop" }, { reservedMarks });
}

describe("an answer is a summary", () => {
  it.each([
    ["with headings of any level and case", "# GOAL\nx\n###### progress\ny\n#### Next Steps\nz"],
    ["with closed headings, colons and bold", "## Goal ##\nx\n## **Progress:**\ny\n**Next steps**\nz"],
    ["with other sections between", "## Goal\nx\n## Key decisions\nd\n## Progress\ny\n## Next steps\nz"],
    ["with a body in another language", "## Goal\n解析器\n## Progress\n完成\n## Next steps\n测试"],
    ["with Windows line ends", "## Goal\r\nx\r\n## Progress\r\ny\r\n## Next steps\r\nz"],
  ])("%s", (_name, text) => {
    expect(accept(text)).toEqual({ ok: true, summary: text });
  });

  it("without the reasoning that a local model writes in front of it", () => {
    expect(accept(`<think>\n## Goal\nHm.\n</think>\n\n${summaryOf("Ship")}`)).toEqual({
      ok: true,
      summary: summaryOf("Ship"),
    });
  });

  it("without a list of files that it copied", () => {
    const copied =
      "## Goal\nx\n\n## Files\n\n- read: a.ts\n\n## Progress\ny\n## Next steps\nz\n\n## Files\n\n- read: b.ts";
    expect(accept(copied)).toEqual({ ok: true, summary: "## Goal\nx\n\n## Progress\ny\n## Next steps\nz" });
  });

  it("when the provider names no reason to stop, if the text is whole", () => {
    const answer = { text: summaryOf("Ship"), stopReason: "other" } as const;
    expect(acceptAnswer(answer)).toEqual({ ok: true, summary: summaryOf("Ship") });
  });

  it("well formed, with reserved marks broken", () => {
    expect(accept(`${summaryOf("Ship")} \uD800 <Mark> a.b axb`, ["<mark>", "a.b", ""])).toEqual({
      ok: true,
      summary: `${summaryOf("Ship")} \uFFFD <\\Mark> a\\.b axb`,
    });
  });
});

describe("an answer is no summary", () => {
  it.each([
    ["blank", "", "blank"],
    ["blank behind its reasoning", "<think>Hm.</think> \n", "blank"],
    ["the words without headings", "Goal: x. Progress: y. Next steps: z.", "sections_missing"],
    ["a section short", "## Goal\nx\n## Progress\ny", "sections_missing"],
    ["all headings inside its reasoning", `<think>${summaryOf("x")}</think>\nI cannot.`, "sections_missing"],
    ["headings in another language", "## Ziel\nx\n## Fortschritt\ny\n## Nächste Schritte\nz", "sections_missing"],
    ["an error's text", "Error: 500 Internal Server Error", "sections_missing"],
    ["tool markup", '<function_calls><invoke name="bash"></invoke></function_calls>', "sections_missing"],
  ])("%s", (_name, text, problem) => {
    expect(accept(text)).toEqual({ ok: false, problem });
  });

  it.each([
    ["length", "cut_off"],
    ["tool", "tool_call"],
    ["refusal", "refusal"],
  ] as const)("that stopped for %s, whatever it says", (stopReason, problem) => {
    expect(acceptAnswer({ text: summaryOf("Ship"), stopReason })).toEqual({ ok: false, problem });
  });
});

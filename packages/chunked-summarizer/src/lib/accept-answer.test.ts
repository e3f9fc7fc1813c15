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
    ["with numbers", "## 1. Goal\nx\n## 2) Progress\ny\n## 3. Next steps\nz"],
    ["as a numbered list in bold", "1. **Goal**\nx\n2. **Progress**\ny\n3. **Next steps**\nz"],
    ["as a list in bold", "- **Goal**\n  x\n- **Progress**\n  y\n- **Next steps**\n  z"],
    ["with the text on the line", "**Goal:** x\n**Progress**: y\n## Next steps: z"],
    ["with pictures", "## 🎯 Goal\nx\n## ✅ Progress\ny\n## ➡️ Next steps\nz"],
    ["with underlined headings", "Goal\n====\nx\n\nProgress\n--------\ny\n\nNext steps\n---\nz"],
    ["with a section that is empty", "## Goal\nx\n## Progress\ny\n## Next steps"],
    [
      "that names marks of reasoning and of tool calls",
      `${summaryOf("Parse `</think>` and `<tool_call>` in the text")}`,
    ],
  ])("%s", (_name, text) => {
    expect(accept(text)).toEqual({ ok: true, summary: text });
  });

  it.each(["\r\n", "\r"])("with line ends of another system, which become its own", (lineEnd) => {
    const lines = ["## Goal", "x", "## Files", "", "- read: a.ts", "", "## Progress", "y", "## Next steps", "z"];
    expect(accept(lines.join(lineEnd))).toEqual({ ok: true, summary: "## Goal\nx\n## Progress\ny\n## Next steps\nz" });
  });

  it.each([
    ["two pieces of it", `<think>a</think>\n<think>b</think>\n${summaryOf("Ship")}`],
    ["under another name", `<thinking>\n## Goal\nHm.\n</thinking>${summaryOf("Ship")}`],
    ["without its opening mark", `Let me see.\n## Goal\nHm.</think>\n\n${summaryOf("Ship")}`],
  ])("without reasoning: %s", (_name, text) => {
    expect(accept(text)).toEqual({ ok: true, summary: summaryOf("Ship") });
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

  it("with what follows a list of files that it copied", () => {
    const copied =
      "**Goal**\nx\n\n## Files\n\n- read: a.ts\n**Progress**\ny\n\n## Files\n- read: b.ts\n\nStill y\n- **Next steps**\nz";
    expect(accept(copied)).toEqual({
      ok: true,
      summary: "**Goal**\nx\n\n**Progress**\ny\n\nStill y\n- **Next steps**\nz",
    });
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
    ["blank behind reasoning that does not end", `<think>Hm.\n${summaryOf("Ship")}`, "blank"],
    ["three headings with nothing below them", "## Goal\n\n## Progress\n\n## Next steps\n", "sections_missing"],
    ["headings and a goal alone", "## Goal\nx\n\n## Progress\n-\n## Next steps\n", "sections_missing"],
    ["the words without headings", "Goal: x. Progress: y. Next steps: z.", "sections_missing"],
    ["a section short", "## Goal\nx\n## Progress\ny", "sections_missing"],
    ["all headings inside its reasoning", `<think>${summaryOf("x")}</think>\nI cannot.`, "sections_missing"],
    ["headings in another language", "## Ziel\nx\n## Fortschritt\ny\n## Nächste Schritte\nz", "sections_missing"],
    ["an error's text", "Error: 500 Internal Server Error", "sections_missing"],
    ["Claude's tool markup", '<function_calls><invoke name="bash"></invoke></function_calls>', "tool_call"],
    [
      "Hermes' tool markup around a summary",
      `<tool_call>\n{"name":"bash"}\n</tool_call>\n${summaryOf("x")}`,
      "tool_call",
    ],
    ["Qwen's tool markup below a summary", `${summaryOf("x")}\n<function=bash>\n</function>`, "tool_call"],
    ["Mistral's tool markup", '[TOOL_CALLS][{"name":"bash"}]', "tool_call"],
  ])("%s", (_name, text, problem) => {
    expect(accept(text)).toEqual({ ok: false, problem });
  });

  it("whose end is not known, though its text is whole", () => {
    const text = summaryOf("Ship");
    expect(acceptAnswer({ text, stopReason: "other" })).toEqual({ ok: false, problem: "sections_missing" });
    expect(acceptAnswer({ text: " ", stopReason: "other" })).toEqual({ ok: false, problem: "blank" });
    const ownModel = JSON.parse(JSON.stringify({ text, stopReason: "max_tokens" }));
    expect(acceptAnswer(ownModel)).toEqual({ ok: false, problem: "sections_missing" });
    expect(acceptAnswer(JSON.parse(JSON.stringify({ text })))).toEqual({ ok: false, problem: "sections_missing" });
  });

  it.each([
    ["length", "cut_off"],
    ["tool", "tool_call"],
    ["refusal", "refusal"],
  ] as const)("that stopped for %s, whatever it says", (stopReason, problem) => {
    expect(acceptAnswer({ text: summaryOf("Ship"), stopReason })).toEqual({ ok: false, problem });
  });
});

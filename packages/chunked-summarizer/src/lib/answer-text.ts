import { FILES_HEADING } from "./file-lists.ts";
import { hasRequiredSections } from "./summary-sections.ts";

/**
 * The text of an answer without what models put around a summary: reasoning in front of it, and a list of files that
 * was copied from the summary before, in whose place the range's own list is added. Line ends become `\n`. Blank when
 * nothing else is there.
 */
export function answerText(text: string): string {
  return withoutFiles(withoutReasoning(text.toWellFormed().replace(/\r\n?/g, "\n"))).trim();
}

/** Whether a text holds a tool call as local models write it when their server does not read it. */
export function holdsToolCall(text: string): boolean {
  return toolCallMarkup.test(text);
}

/** Only at a line's beginning: a summary of work on such markup may name it. */
const toolCallMarkup =
  /^[ \t]*(?:<(?:tool_call|function_calls?|antml:function_calls|tool_use|tool_code)>|<function=|<(?:antml:)?invoke name=|\[TOOL_CALLS\]|<\|(?:tool_call|python_tag|tool_calls_section_begin|tool_call_begin)\|?>|<｜tool▁calls?▁begin｜>)/im;

/** Local models write their reasoning into the text; some servers cut its opening mark off. */
function withoutReasoning(text: string): string {
  let rest = text.trimStart();
  for (let opening = openingMark.exec(rest); opening !== null; opening = openingMark.exec(rest)) {
    const closing = new RegExp(`</${opening[1]}>`, "i").exec(rest);
    // It ran out of room before it came to the summary.
    if (closing === null) return "";
    rest = rest.slice(closing.index + closing[0].length).trimStart();
  }
  const closing = strayClosingMark.exec(rest);
  const behind = closing === null ? "" : rest.slice(closing.index + closing[0].length);
  return hasRequiredSections(behind) ? behind : rest;
}

const openingMark = /^<(think|thinking|thought|reasoning)>/i;
const strayClosingMark = /<\/(?:think|thinking|thought|reasoning)>[ \t]*(?:\n|$)/i;

function withoutFiles(text: string): string {
  return text.replace(filesSection, "");
}

/** The heading and the list items below it: what follows, after a blank line or under a heading in bold, is no list. */
const filesSection = new RegExp(
  `(?<![^\\n])${FILES_HEADING}[ \\t]*\\n(?:[ \\t]*\\n)*(?:[ \\t]*[-*+] (?!\\*\\*|__).*(?:\\n|$))+(?:[ \\t]*\\n)*`,
  "g",
);

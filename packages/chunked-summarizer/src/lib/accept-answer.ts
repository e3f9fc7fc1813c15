import { FILES_HEADING } from "./file-lists.ts";
import type { AnswerProblem } from "./prompts-v1.ts";
import type { SummaryAnswer } from "./summary-model.ts";

export type Acceptance =
  | { readonly ok: true; readonly summary: string }
  | { readonly ok: false; readonly problem: AnswerProblem };

const REQUIRED_SECTIONS = ["goal", "progress", "next steps"];

/**
 * Whether an answer is a summary. Not one: a stop at the output limit, a tool call, a refusal, blank text, text without
 * the sections that are required, which is also how a refusal, an error's text or bare tool markup is known that came as
 * an ordinary answer. Reasoning in front of the text and a list of files at its end are taken off; marks that are
 * reserved are broken with a backslash.
 */
export function acceptAnswer(
  answer: SummaryAnswer,
  { reservedMarks = [] }: { readonly reservedMarks?: readonly string[] | undefined } = {},
): Acceptance {
  switch (answer.stopReason) {
    case "length":
      return { ok: false, problem: "cut_off" };
    case "tool":
      return { ok: false, problem: "tool_call" };
    case "refusal":
      return { ok: false, problem: "refusal" };
    case "stop":
    case "other":
      break;
    default:
      answer.stopReason satisfies never;
  }
  const text = withoutFiles(withoutReasoning(answer.text)).trim();
  if (text === "") return { ok: false, problem: "blank" };
  const headings = new Set(text.split("\n").flatMap((line) => headingOf(line) ?? []));
  if (!REQUIRED_SECTIONS.every((section) => headings.has(section))) return { ok: false, problem: "sections_missing" };
  return { ok: true, summary: breakMarks(text.replace(/\p{Surrogate}/gu, "\uFFFD"), reservedMarks) };
}

/** The words of a Markdown heading or of a line in bold, lower case. */
function headingOf(line: string): string | undefined {
  const heading = /^\s{0,3}(?:#{1,6}\s*|\*\*|__)(.+)$/.exec(line.trimEnd())?.[1];
  return heading
    ?.replaceAll(/[#*_:]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

/** Local models write their reasoning into the text. */
function withoutReasoning(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?<\/think>/i, "");
}

/** A list that the model copied from the summary before: the range's own list is added in its place. */
function withoutFiles(text: string): string {
  return text.replace(filesSection, "");
}

const filesSection = new RegExp(`\\n${FILES_HEADING}\\n[\\s\\S]*?(?=\\n#{1,6} |$)`, "g");

function breakMarks(text: string, marks: readonly string[]): string {
  const words = marks.filter((mark) => mark !== "").map((mark) => mark.replace(/[^\w\s]/g, "\\$&"));
  if (words.length === 0) return text;
  const anyMark = new RegExp(words.join("|"), "gi");
  return text.replace(anyMark, (mark) => `${mark.slice(0, 1)}\\${mark.slice(1)}`);
}

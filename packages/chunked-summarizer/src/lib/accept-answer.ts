import { answerText, holdsToolCall } from "./answer-text.ts";
import { breakMarks } from "./break-marks.ts";
import type { AnswerProblem } from "./prompts-v1.ts";
import type { SummaryAnswer } from "./summary-model.ts";
import { hasRequiredSections } from "./summary-sections.ts";

export type Acceptance =
  | { readonly ok: true; readonly summary: string }
  | { readonly ok: false; readonly problem: AnswerProblem };

/**
 * Whether an answer is a summary. Not one: what did not plainly end by itself, a tool call, also as markup in the text,
 * a refusal, blank text, text without the sections that are required, which is also how a refusal or an error's text is
 * known that came as an ordinary answer. Reasoning in front of the text and a list of files in it are taken off; marks
 * that are reserved are broken with a backslash.
 */
export function acceptAnswer(
  answer: SummaryAnswer,
  { reservedMarks = [] }: { readonly reservedMarks?: readonly string[] | undefined } = {},
): Acceptance {
  const text = answerText(answer.text);
  switch (answer.stopReason) {
    case "length":
      return { ok: false, problem: "cut_off" };
    case "tool":
      return { ok: false, problem: "tool_call" };
    case "refusal":
      return { ok: false, problem: "refusal" };
    case "stop":
      break;
    default:
      // `other`, and whatever else a model of the user's own says: nobody knows that the text is whole.
      return { ok: false, problem: text === "" ? "blank" : "sections_missing" };
  }
  if (text === "") return { ok: false, problem: "blank" };
  if (holdsToolCall(text)) return { ok: false, problem: "tool_call" };
  if (!hasRequiredSections(text)) return { ok: false, problem: "sections_missing" };
  return { ok: true, summary: breakMarks(text, reservedMarks) };
}

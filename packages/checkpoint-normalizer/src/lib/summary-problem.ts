import type { Checkpoint } from "./checkpoint.ts";
import type { CheckpointDiagnostic } from "./checkpoint-diagnostic.ts";

/** Prompts whose summaries were accepted only with these sections. Free text and other prompts are used as they are. */
const promptVersions: readonly unknown[] = ["holdfast-summary@1"];
const sections = ["Goal", "Progress", "Next steps"];
// No stricter than whoever accepted the summary: any mark of a heading on its line, any case, any space.
const headings = [
  /^(?:[^\w\n]|_)*goal(?![a-z])/im,
  /^(?:[^\w\n]|_)*progress(?![a-z])/im,
  /^(?:[^\w\n]|_)*next[^a-z\n]+steps(?![a-z])/im,
];

/**
 * Why a record's summary cannot stand for what lies before its boundary; `undefined` when it can. A blank one says
 * nothing; one that was accepted with all sections of its prompt and lacks one now was cut afterwards. A fresh window
 * needs no text, and a fallback's is a shortened one and a notice.
 */
export function summaryProblem({ id, summary, details }: Checkpoint): CheckpointDiagnostic | undefined {
  if (summary === null || details.strategy === "fresh_window") return undefined;
  const problem = { checkpointId: id, field: "summary" };
  if (summary.trim() === "") return { ...problem, code: "blank_summary", message: "its summary is blank" };
  if (details.fallback !== undefined || !promptVersions.includes(details.promptVersion)) return undefined;
  const missing = sections.filter((_, place) => headings[place]?.test(summary) === false);
  if (missing.length === 0) return undefined;
  return { ...problem, code: "summary_cut_off", message: `its summary lacks ${missing.join(", ")}` };
}

import type { Checkpoint } from "./checkpoint.ts";
import type { CheckpointDiagnostic } from "./checkpoint-diagnostic.ts";

const sections = ["Goal", "Progress", "Next steps"];

/**
 * Why a record's summary cannot stand for what lies before its boundary; `undefined` when it can. A blank one says
 * nothing. One that was made by a known prompt (`promptVersion`) was accepted with all its sections, so where one is
 * missing the text was cut afterwards; free text of older records is used as it is. A fresh window needs no text, and a
 * fallback's is a shortened one and a notice.
 */
export function summaryProblem({ id, summary, details }: Checkpoint): CheckpointDiagnostic | undefined {
  if (summary === null || details.strategy === "fresh_window") return undefined;
  const problem = { checkpointId: id, field: "summary" };
  if (summary.trim() === "") return { ...problem, code: "blank_summary", message: "its summary is blank" };
  if (details.promptVersion === undefined || details.fallback !== undefined) return undefined;
  const missing = sections.filter((section) => !new RegExp(`^\\W*${section}\\b`, "im").test(summary));
  if (missing.length === 0) return undefined;
  return { ...problem, code: "summary_cut_off", message: `its summary lacks ${missing.join(", ")}` };
}

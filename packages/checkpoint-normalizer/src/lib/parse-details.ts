import type { CheckpointDetails, UncoveredInterval } from "./checkpoint.ts";
import type { ReportProblem } from "./checkpoint-diagnostic.ts";
import { detailsFields, generationField } from "./checkpoint-schema.ts";
import { isJsonObject } from "./json-value.ts";
import { withoutBadFields } from "./without-bad-fields.ts";

/** Words of a later version are kept: what they would have meant is decided by the rows that do not need them. */
const knownWords: Readonly<Record<string, readonly string[]>> = {
  strategy: ["summary", "fresh_window"],
  retainedTailMode: ["active_turn", "completed_turn"],
  retainedTailShape: ["recent_window"],
  fallback: ["retained_tail"],
  failureReason: ["no_new_history", "summary_budget", "summary_provider", "checkpoint_oversized"],
};

export function parseDetails(value: unknown, report: ReportProblem): CheckpointDetails {
  if (value !== undefined && !isJsonObject(value)) {
    report("bad_field", "details is not an object: ignored", "details");
  }
  const found = isJsonObject(value) ? value : {};
  const generation = generationField.safeParse(found.generation);
  if (!generation.success && found.generation !== undefined) {
    report("bad_field", "generation is not a count: the record's place in the chain is used", "details.generation");
  }
  const details = withoutBadFields(found, detailsFields, "details.", report);
  for (const [field, known] of Object.entries(knownWords)) {
    const said: unknown = details[field];
    if (typeof said === "string" && !known.includes(said)) {
      report(
        "unknown_word",
        `${field} says ${JSON.stringify(said)}, which this version does not know: kept`,
        `details.${field}`,
      );
    }
  }
  const uncovered = details.uncovered ?? readableIntervals(found.uncovered);
  return {
    ...details,
    generation: generation.success ? generation.data : 0,
    // Last, where a list that had to be mended stands again when it is read again.
    ...(uncovered === undefined ? {} : { uncovered }),
  };
}

/**
 * A list with an interval that cannot be read: what is left of that one is taken at its widest, since reading something
 * twice is cheaper than never. A list of none that can be read is unknown.
 */
function readableIntervals(found: unknown): readonly UncoveredInterval[] | undefined {
  if (!Array.isArray(found)) return undefined;
  const read = found.map((interval: unknown): UncoveredInterval => {
    const [whole] = detailsFields.uncovered.safeParse([interval]).data ?? [];
    return whole ?? { from: endOf(interval, "from"), through: endOf(interval, "through") };
  });
  return read.some(({ from, through }) => from !== "" || through !== "") ? read : undefined;
}

function endOf(interval: unknown, end: "from" | "through"): string {
  const id = isJsonObject(interval) ? interval[end] : undefined;
  return typeof id === "string" ? id : "";
}

import type * as z from "zod";
import type { Checkpoint, CheckpointDetails } from "./checkpoint.ts";
import type { CheckpointDiagnostic, ReportProblem } from "./checkpoint-diagnostic.ts";
import { CHECKPOINT_VERSION, optionalFields, requiredFields } from "./checkpoint-schema.ts";
import { isJsonObject, type JsonObject, throughJson } from "./json-value.ts";
import { parseDetails } from "./parse-details.ts";
import { parseTail } from "./parse-tail.ts";
import { withoutBadFields } from "./without-bad-fields.ts";

export type ParsedCheckpoint =
  | { readonly ok: true; readonly checkpoint: Checkpoint; readonly diagnostics: readonly CheckpointDiagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly CheckpointDiagnostic[] };

/**
 * Reads one stored record, whatever wrote it, and never throws. The result is a copy with its fields in the order they
 * were found, such that writing it as JSON and reading it again gives the same bytes.
 *
 * Refused: what is no object, a record of a newer version, one without a boundary or without a summary it could stand
 * for. Everything else that is bad costs only itself: an optional field or a message of the tail is dropped, a missing
 * `id`, `tokensBefore` or `createdAt` is replaced by a neutral value, each with a diagnostic. Unknown fields are kept.
 */
export function parseCheckpoint(value: unknown): ParsedCheckpoint {
  const diagnostics: CheckpointDiagnostic[] = [];
  const record = throughJson(value);
  const checkpointId = isJsonObject(record) && typeof record.id === "string" ? record.id : undefined;
  const report: ReportProblem = (code, message, field) => {
    diagnostics.push({ code, checkpointId, field, message });
  };
  const refused: ParsedCheckpoint = { ok: false, diagnostics };

  if (!isJsonObject(record)) {
    report("not_a_record", "this is not a checkpoint: a JSON object was expected");
    return refused;
  }
  const version = claimedVersion(record.version);
  if (version > CHECKPOINT_VERSION) {
    report(
      "newer_version",
      `written by a newer version (${version}, this reader knows ${CHECKPOINT_VERSION}): left as it is`,
      "version",
    );
    return refused;
  }
  const throughMessageId = requiredFields.throughMessageId.safeParse(record.throughMessageId);
  if (!throughMessageId.success) {
    report("missing_field", "no boundary: the record does not say what it stands for", "throughMessageId");
    return refused;
  }
  const details = parseDetails(record.details, report);
  const summary = readSummary(record, details, report);
  if (summary === undefined) return refused;

  const read: Checkpoint = {
    ...withoutBadFields(record, optionalFields, "", report),
    id: orNeutral(requiredFields.id, record.id, `checkpoint:${throughMessageId.data}`, "id", report),
    summary,
    throughMessageId: throughMessageId.data,
    tokensBefore: orNeutral(requiredFields.tokensBefore, record.tokensBefore, 0, "tokensBefore", report),
    retainedTail: parseTail(record.retainedTail, report),
    details,
    createdAt: orNeutral(requiredFields.createdAt, record.createdAt, "1970-01-01T00:00:00.000Z", "createdAt", report),
  };
  return { ok: true, checkpoint: read, diagnostics };
}

/** A version in a form that cannot be read (`"2"` is one that can) counts as none: the field is dropped later. */
function claimedVersion(version: unknown): number {
  const claimed = typeof version === "string" && version.trim() !== "" ? Number(version) : version;
  return typeof claimed === "number" && !Number.isNaN(claimed) ? claimed : 0;
}

function readSummary(record: JsonObject, details: CheckpointDetails, report: ReportProblem): string | null | undefined {
  const { summary } = record;
  if (typeof summary === "string" || summary === null) return summary;
  if (summary === undefined && record.opaque !== undefined) {
    report("missing_field", "the summary cannot be read; what stood in its place is kept", "summary");
    return null;
  }
  if (summary === undefined && details.strategy === "fresh_window") {
    report("missing_field", "no text; a fresh window does without", "summary");
    return "";
  }
  report("missing_field", "no summary: nothing would stand for what lies before the boundary", "summary");
  return undefined;
}

function orNeutral<T>(schema: z.ZodType<T>, found: unknown, neutral: T, field: string, report: ReportProblem): T {
  const read = schema.safeParse(found);
  if (read.success) return read.data;
  report(
    found === undefined ? "missing_field" : "bad_field",
    `no usable ${field}: ${JSON.stringify(neutral)} is used`,
    field,
  );
  return neutral;
}

import { type Message, messageSchema } from "@holdfast/message-schema";
import type * as z from "zod";
import type { Checkpoint, CheckpointDetails, UncoveredInterval } from "./checkpoint.ts";
import type { CheckpointDiagnostic, CheckpointDiagnosticCode } from "./checkpoint-diagnostic.ts";
import {
  CHECKPOINT_VERSION,
  detailsFields,
  generationField,
  optionalFields,
  requiredFields,
} from "./checkpoint-schema.ts";
import { isJsonObject, type JsonObject, throughJson } from "./json-value.ts";

export type ParsedCheckpoint =
  | { readonly ok: true; readonly checkpoint: Checkpoint; readonly diagnostics: readonly CheckpointDiagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly CheckpointDiagnostic[] };

/** Words of a later version are kept: what they would have meant is decided by the rows that do not need them. */
const knownWords: Readonly<Record<string, readonly string[]>> = {
  strategy: ["summary", "fresh_window"],
  retainedTailMode: ["active_turn", "completed_turn"],
  retainedTailShape: ["recent_window"],
  fallback: ["retained_tail"],
  failureReason: ["no_new_history", "summary_budget", "summary_provider", "checkpoint_oversized"],
};

type Report = (code: CheckpointDiagnosticCode, message: string, field?: string) => void;

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
  const report: Report = (code, message, field) => {
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
  const details = readDetails(record.details, report);
  const summary = readSummary(record, details, report);
  if (summary === undefined) return refused;

  const read: Checkpoint = {
    ...withoutBadFields(record, optionalFields, "", report),
    id: orNeutral(requiredFields.id, record.id, `checkpoint:${throughMessageId.data}`, "id", report),
    summary,
    throughMessageId: throughMessageId.data,
    tokensBefore: orNeutral(requiredFields.tokensBefore, record.tokensBefore, 0, "tokensBefore", report),
    retainedTail: readTail(record.retainedTail, report),
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

function readSummary(record: JsonObject, details: CheckpointDetails, report: Report): string | null | undefined {
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

function readDetails(value: unknown, report: Report): CheckpointDetails {
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
    ...(uncovered === undefined ? {} : { uncovered }),
    generation: generation.success ? generation.data : 0,
  };
}

/** One unreadable interval must not make the others look covered; a list of none that can be read is unknown. */
function readableIntervals(found: unknown): readonly UncoveredInterval[] | undefined {
  if (!Array.isArray(found)) return undefined;
  const readable = found.flatMap((interval: unknown) => detailsFields.uncovered.safeParse([interval]).data ?? []);
  return readable.length === 0 ? undefined : readable;
}

function readTail(value: unknown, report: Report): readonly Message[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    report("bad_field", "retainedTail is not a list: ignored", "retainedTail");
    return [];
  }
  const tail: Message[] = [];
  const seen = new Set<string>();
  value.forEach((element: unknown, index) => {
    const message = readMessage(element);
    const field = `retainedTail[${index}]`;
    if (message === undefined) {
      report("bad_message", "not a message this version can read: left out, its role is not guessed", field);
    } else if (seen.has(message.id)) {
      report("bad_message", `a second message with the id ${message.id}: left out`, field);
    } else {
      seen.add(message.id);
      tail.push(message);
    }
  });
  return tail;
}

/** The message as found, with its fields in the order found; only parts of an unknown type are wrapped. */
function readMessage(element: unknown): Message | undefined {
  const parsed = messageSchema.safeParse(element);
  if (!parsed.success || !isJsonObject(element)) return undefined;
  const { content } = parsed.data;
  const found = element.content;
  if (typeof content === "string" || !Array.isArray(found)) return element as unknown as Message;
  const isAsFound = content.every((part, index) => isJsonObject(found[index]) && found[index].type === part.type);
  if (isAsFound) return element as unknown as Message;
  const parts = content.map((part, index) => {
    const before: unknown = found[index];
    return isJsonObject(before) && before.type === part.type ? before : part;
  });
  return { ...element, content: parts } as unknown as Message;
}

/** `found` less the named fields that are not what they should be. */
function withoutBadFields<T extends Record<string, z.ZodType>>(
  found: JsonObject,
  fields: T,
  path: string,
  report: Report,
): JsonObject & { readonly [K in keyof T]?: z.output<T[K]> } {
  const bad = new Set<string>();
  for (const [field, schema] of Object.entries(fields)) {
    if (found[field] === undefined || schema.safeParse(found[field]).success) continue;
    report("bad_field", `${field} is not what it should be: dropped`, path + field);
    bad.add(field);
  }
  const kept = bad.size === 0 ? found : Object.fromEntries(Object.entries(found).filter(([field]) => !bad.has(field)));
  return kept as JsonObject & { readonly [K in keyof T]?: z.output<T[K]> };
}

function orNeutral<T>(schema: z.ZodType<T>, found: unknown, neutral: T, field: string, report: Report): T {
  const read = schema.safeParse(found);
  if (read.success) return read.data;
  report(
    found === undefined ? "missing_field" : "bad_field",
    `no usable ${field}: ${JSON.stringify(neutral)} is used`,
    field,
  );
  return neutral;
}

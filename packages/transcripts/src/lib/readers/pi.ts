import { activeBranch } from "../active-branch.ts";
import { createConversationBuilder, type MessageDraft } from "../conversation-builder.ts";
import { amount, isObject, type JsonObject, label, nonEmpty, property, quote, text, texts } from "../json-value.ts";
import type { CompactionRecord } from "../transcript-file.ts";
import type { LineReader, LineReading, ReadReport } from "../transcript-reader.ts";
import { branchSummaryDraft, customMessageDraft, type EntryPlace, piMessageDraft } from "./pi-message.ts";

/** What stays of a line: its place in the tree and what it adds to the conversation. */
interface PiEntry {
  readonly id: string | undefined;
  readonly parentId: string | null | undefined;
  readonly line: number;
  readonly ordinal: number;
  readonly draft?: MessageDraft | undefined;
  readonly compaction?: JsonObject | undefined;
}

/** Entries that belong to the tree and are no message. */
const silentTypes: ReadonlySet<unknown> = new Set([
  "compaction",
  "model_change",
  "thinking_level_change",
  "custom",
  "label",
  "session_info",
]);

/**
 * Session files of pi, versions 1 to 3, also without their header. The conversation is the branch that ends at the last
 * entry; version 1 has no tree and its order is the chain.
 */
export const pi: LineReader = {
  format: "pi",
  layout: "lines",
  refuse(sample) {
    return sample.some(isHeader) || sample.some(isPiMessage)
      ? undefined
      : "no session header with a cwd and no message entry with a role";
  },
  open: openPi,
};

/** DeepSeek's harness has a header of the same type, with `seq` and without a `cwd` of its own. */
function isHeader(value: unknown): boolean {
  const version = property(value, "version");
  return (
    property(value, "type") === "session" &&
    text(property(value, "cwd")) !== undefined &&
    (version === undefined || version === 1 || version === 2 || version === 3) &&
    property(value, "seq") === undefined
  );
}

function isPiMessage(value: unknown): boolean {
  return (
    property(value, "type") === "message" &&
    text(property(property(value, "message"), "role")) !== undefined &&
    text(property(value, "timestamp")) !== undefined &&
    property(value, "sessionId") === undefined
  );
}

function openPi(report: ReadReport): LineReading {
  const entries: PiEntry[] = [];
  let sessionId: string | undefined;
  return {
    record({ value, line, ordinal }) {
      if (!isObject(value)) {
        report.note({ line, problem: "not an object", action: "set aside" });
        return;
      }
      if (value.type === "session") {
        sessionId ??= nonEmpty(value.id);
        return;
      }
      entries.push({
        id: nonEmpty(value.id),
        parentId: parentId(value),
        line,
        ordinal,
        draft: draftOf(value, { line, ordinal }, report),
        compaction: value.type === "compaction" ? value : undefined,
      });
    },
    finish: () => [conversation(entries, sessionId ?? "session", report)],
  };
}

function parentId(entry: JsonObject): string | null | undefined {
  const parent = entry.parentId;
  return parent === null ? null : text(parent);
}

function draftOf(entry: JsonObject, place: EntryPlace, report: ReadReport): MessageDraft | undefined {
  switch (entry.type) {
    case "message":
      return piMessageDraft(entry, place, report);
    case "custom_message":
      return customMessageDraft(entry, place, report);
    case "branch_summary":
      return branchSummaryDraft(entry);
    default:
      if (!silentTypes.has(entry.type)) report.ignore(label(entry.type), place.line);
      return undefined;
  }
}

function conversation(entries: readonly PiEntry[], id: string, report: ReadReport) {
  const builder = createConversationBuilder();
  const branch = activeBranch(entries);
  for (const index of branch.mended) {
    report.note({
      ...lineOf(entries[index]),
      problem: `its parent ${quote(entries[index]?.parentId)} is not in the file`,
      action: "joined to the entry before it",
    });
  }
  /** For the id and the position of each entry of the branch, the messages that stand before it. */
  const messagesBefore = new Map<string | number, number>();
  for (const index of branch.path) {
    const entry = entries[index];
    if (entry === undefined) continue;
    messagesBefore.set(entry.ordinal, builder.length);
    if (entry.id !== undefined) messagesBefore.set(entry.id, builder.length);
    if (entry.draft) builder.add(entry.draft, entry.ordinal);
    if (entry.compaction) {
      const kept = firstKept(entry.compaction);
      const keptFrom = kept === undefined ? undefined : messagesBefore.get(kept);
      if (keptFrom === undefined) {
        report.note({ line: entry.line, problem: "the first kept entry is not on the branch", action: "left open" });
      }
      builder.compaction(compactionRecord(entry.compaction, builder.length, keptFrom));
    }
  }
  return builder.finish(id);
}

function lineOf(entry: PiEntry | undefined): { line?: number } {
  return entry ? { line: entry.line } : {};
}

/** Version 1 counts lines from the header as 0; later versions name the entry. */
function firstKept(compaction: JsonObject): string | number | undefined {
  return nonEmpty(property(compaction, "firstKeptEntryId")) ?? amount(property(compaction, "firstKeptEntryIndex"));
}

function compactionRecord(entry: JsonObject, at: number, keptFrom: number | undefined): CompactionRecord {
  const details = property(entry, "details");
  return {
    at,
    summary: nonEmpty(property(entry, "summary")) ?? null,
    replaces: "prefix",
    ...(keptFrom === undefined ? {} : { keptFrom }),
    ...optional("tokensBefore", amount(property(entry, "tokensBefore"))),
    ...(isObject(details)
      ? { files: { read: texts(property(details, "readFiles")), modified: texts(property(details, "modifiedFiles")) } }
      : {}),
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { type Checkpoint, checkpointFromCompaction } from "@holdfast/checkpoint-normalizer";
import { type Conversation, readTranscript, TranscriptError } from "@holdfast/transcripts";
import { CommandError } from "./command-error.ts";
import { firstBytes } from "./first-bytes.ts";
import { messagePlace } from "./message-place.ts";

/** A value that may be a checkpoint record, and where it stood. */
export interface FoundRecord {
  readonly where: string;
  readonly value: unknown;
  /** Why no checkpoint can be made of another tool's compaction; then `value` is what that tool stored. */
  readonly unreadable?: string | undefined;
  /** Bytes of it were no UTF-8 text and became U+FFFD. */
  readonly isGarbled?: boolean | undefined;
}

/**
 * The records of a file: one JSON record, a list of them, a line each (as the JSONL store writes them, too), or the
 * compactions of another tool's session file.
 */
export async function findCheckpointRecords(path: string): Promise<readonly FoundRecord[]> {
  const imported = await importedRecords(path);
  if (imported !== undefined) return imported;
  const bytes = await readFile(path);
  const whole = parseJson(bytes);
  if (whole !== undefined) {
    const values = Array.isArray(whole) ? whole : [whole];
    return values.map((value, index) => ({
      where: `record ${index + 1}`,
      value: unwrapped(value),
      isGarbled: !isUtf8(bytes) && JSON.stringify(value).includes("\ufffd"),
    }));
  }
  const records = linesOf(bytes).map(({ where, line }) => ({
    where,
    value: unwrapped(parseJson(line)),
    isGarbled: !isUtf8(line),
  }));
  if (!records.some(({ value }) => looksLikeRecord(value))) {
    throw new CommandError(`${path}: holds neither checkpoint records nor a session that can be read`);
  }
  return records;
}

async function importedRecords(path: string): Promise<readonly FoundRecord[] | undefined> {
  try {
    const { conversations } = await readTranscript(path);
    return conversations.flatMap(recordsOf);
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    if (error.code !== "unknown_format" && error.code !== "binary") throw new CommandError(error.message);
    if ((await firstBytes(path)).startsWith("SQLite format 3\0")) {
      throw new CommandError(`${path}: is a SQLite file, and normalize reads records as JSON or JSONL`);
    }
    if (error.code === "unknown_format") return undefined;
    throw new CommandError(error.message);
  }
}

/** The checkpoints that a conversation's compactions come to, each made on the one before. */
function recordsOf(conversation: Conversation): FoundRecord[] {
  const records: FoundRecord[] = [];
  let previous: Checkpoint | undefined;
  for (const record of conversation.compactions) {
    const where = `compaction after ${messagePlace(conversation.messages, record.at - 1)} in conversation ${conversation.id}`;
    const parsed = checkpointFromCompaction(record, conversation, { previous });
    if (parsed.ok) previous = parsed.checkpoint;
    records.push(
      parsed.ok
        ? { where, value: parsed.checkpoint }
        : { where, value: record, unreadable: parsed.diagnostics.map(({ message }) => message).join("; ") },
    );
  }
  return records;
}

/** Whether somebody meant it as a checkpoint record, be it damaged or of a newer version. */
function looksLikeRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("throughMessageId" in value || "retainedTail" in value);
}

/** The JSONL store writes each record beside the conversation it belongs to. */
function unwrapped(value: unknown): unknown {
  const isLine = typeof value === "object" && value !== null && "conversationId" in value && "checkpoint" in value;
  return isLine ? value.checkpoint : value;
}

/** The lines that hold something, split as bytes, so that a broken one leaves the others as they are. */
function linesOf(bytes: Buffer): { readonly where: string; readonly line: Buffer }[] {
  return bytes
    .toString("latin1")
    .split("\n")
    .map((line, index) => ({ where: `line ${index + 1}`, line: Buffer.from(line, "latin1") }))
    .filter(({ line }) => line.toString("utf8").trim() !== "");
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

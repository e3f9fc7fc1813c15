import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { type Checkpoint, parseCheckpoint } from "@holdfast/checkpoint-normalizer";
import { attempt } from "./attempt.ts";
import type { AppendOptions, AppendResult, CheckpointStore } from "./checkpoint-store.ts";
import { openExisting, syncDirectoryOf } from "./durable-file.ts";
import { encodeRecord } from "./encode-record.ts";
import { createJsonlIndex, type JsonlIndex, type StoredRecord } from "./jsonl-index.ts";
import { formatLine, readLine } from "./jsonl-line.ts";
import { createTurnstile } from "./turnstile.ts";

export interface JsonlStoreOptions {
  /**
   * Told once of each line that is no record: a write that was cut off, or damage. It costs that line only, and stays
   * in the file. Default: nobody is told.
   */
  readonly onDamage?: ((damage: { readonly path: string; readonly startByte: number }) => void) | undefined;
}

/**
 * A store in one file, a line a record, for any number of conversations and of processes on one machine. The directory
 * must be there; the first append makes the file. Lines are only ever added, each with one write that is flushed to the
 * disk before it is answered. Not for network file systems: those do not append in one piece.
 */
export function createJsonlStore(path: string, options: JsonlStoreOptions = {}): CheckpointStore {
  const index = createJsonlIndex({ onDamage: (startByte) => options.onDamage?.({ path, startByte }) });
  // The index is read and extended by one operation at a time.
  const inTurn = createTurnstile();

  return {
    append: (conversationId, checkpoint, appendOptions) =>
      inTurn(async () => {
        const record = encodeRecord(checkpoint, appendOptions.expectedGeneration);
        const file = await attempt("write_failed", () => open(path, "a+"));
        try {
          return await appendRecord({ path, file, index, conversationId }, record, appendOptions);
        } finally {
          await file.close();
        }
      }),
    list: (conversationId) =>
      inTurn(async () => {
        const file = await attempt("read_failed", () => openExisting(path));
        if (file === undefined) return [];
        try {
          return await attempt("read_failed", async () => {
            await index.catchUp(file);
            const records: unknown[] = [];
            for (const stored of index.records(conversationId)) records.push(await readRecord(file, stored));
            return records;
          });
        } finally {
          await file.close();
        }
      }),
  };
}

interface OpenChain {
  readonly path: string;
  readonly file: FileHandle;
  readonly index: JsonlIndex;
  readonly conversationId: string;
}

async function appendRecord(chain: OpenChain, record: string, options: AppendOptions): Promise<AppendResult> {
  const { path, file, index, conversationId } = chain;
  const newest = await attempt("read_failed", () => newestRecord(chain));
  if ((newest?.generation ?? 0) !== options.expectedGeneration) return refusal("conflict", chain, newest);
  if (options.isBoundaryPresent?.() === false) return refusal("boundary_gone", chain, newest);

  const writeId = randomUUID();
  // The first line break ends a line that a killed writer left open; a blank line is nobody's.
  const line = Buffer.from(`\n${formatLine(conversationId, writeId, record)}\n`, "utf8");
  await attempt("write_failed", async () => {
    const isNewFile = (await file.stat()).size === 0;
    // One write, so that the line stands in one piece between those of other processes.
    const { bytesWritten } = await file.write(line);
    if (bytesWritten < line.length) throw new Error(`${bytesWritten} of ${line.length} bytes were written`);
    await file.sync();
    if (isNewFile) await syncDirectoryOf(path);
  });
  const written = await attempt("read_failed", () => newestRecord(chain));
  // Somebody may have gone on from this record already, so it need not be the newest.
  const isInChain = index.records(conversationId).some((stored) => stored.writeId === writeId);
  return isInChain ? { ok: true, generation: options.expectedGeneration + 1 } : refusal("conflict", chain, written);
}

async function newestRecord({ file, index, conversationId }: OpenChain): Promise<StoredRecord | undefined> {
  await index.catchUp(file);
  return index.records(conversationId).at(-1);
}

async function refusal(
  reason: "conflict" | "boundary_gone",
  { file }: OpenChain,
  stored: StoredRecord | undefined,
): Promise<AppendResult> {
  const record = stored === undefined ? undefined : await attempt("read_failed", () => readRecord(file, stored));
  return { ok: false, reason, newest: readable(record) };
}

function readable(record: unknown): Checkpoint | undefined {
  const parsed = parseCheckpoint(record);
  return parsed.ok ? parsed.checkpoint : undefined;
}

async function readRecord(file: FileHandle, { startByte, lengthBytes }: StoredRecord): Promise<unknown> {
  const line = Buffer.alloc(lengthBytes);
  const { bytesRead } = await file.read(line, 0, lengthBytes, startByte);
  const read = readLine(line.toString("utf8", 0, bytesRead));
  if (read.kind !== "record") throw new Error(`the record at byte ${startByte} was changed by somebody else`);
  return read.checkpoint;
}

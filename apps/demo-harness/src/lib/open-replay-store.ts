import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { CheckpointStore } from "@holdfast/checkpoint-store";
import { createJsonlStore } from "@holdfast/checkpoint-store/jsonl";
import { CommandError } from "./command-error.ts";

/** A store in a file that is one, is empty, or can be made: checkpoints are never added to a file of another kind. */
export async function openReplayStore(path: string): Promise<CheckpointStore> {
  try {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && !found.isFile()) throw new CommandError(`--store ${path}: is no file`);
    await access(found === undefined ? dirname(path) : path, constants.W_OK);
    if (found !== undefined && found.size > 0 && !isStoreLine(await firstBytes(path))) {
      throw new CommandError(`--store ${path}: is a file of another kind, nothing is written to it`);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `--store ${path}: cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
    );
  }
  return createJsonlStore(path);
}

async function firstBytes(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** How every line of the JSONL store begins, its first line break aside. */
function isStoreLine(head: string): boolean {
  return head.trimStart().startsWith('{"conversationId":"');
}

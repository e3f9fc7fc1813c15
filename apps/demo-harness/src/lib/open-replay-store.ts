import { open, stat } from "node:fs/promises";
import type { CheckpointStore } from "@holdfast/checkpoint-store";
import { createJsonlStore } from "@holdfast/checkpoint-store/jsonl";
import { CommandError } from "./command-error.ts";
import { firstBytes } from "./first-bytes.ts";

/**
 * A store in a file that is one, is empty, or is made here: checkpoints are never added to a file of another kind. Only
 * opening it tells whether it can be written: permissions say nothing of a file system that takes no file.
 */
export async function openReplayStore(path: string): Promise<CheckpointStore> {
  try {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && !found.isFile()) throw new CommandError(`--store ${path}: is no file`);
    if (found !== undefined && found.size > 0 && !isStoreLine(await firstBytes(path))) {
      throw new CommandError(`--store ${path}: is a file of another kind, nothing is written to it`);
    }
    await (await open(path, "a")).close();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `--store ${path}: cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
    );
  }
  return createJsonlStore(path);
}

/** How every line of the JSONL store begins, its first line break aside. */
function isStoreLine(head: string): boolean {
  return head.trimStart().startsWith('{"conversationId":"');
}

import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

/** `undefined` when there is no such file. */
export async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** A new file is durable once its name is: POSIX wants the directory flushed too. Windows has no such thing. */
export async function syncDirectoryOf(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const sessionsDir = fileURLToPath(new URL("../../../../../shared/sessions/open", import.meta.url));

/** Absolute path of the recorded sessions beside the repository, or undefined where they are not laid out. */
export function openSessionsDir(): string | undefined {
  return existsSync(sessionsDir) ? sessionsDir : undefined;
}

/** Absolute path of one recorded session (a file, or the directory of a format that has several), or undefined. */
export function openSessionFile(name: string): string | undefined {
  const path = join(sessionsDir, name);
  return existsSync(path) ? path : undefined;
}

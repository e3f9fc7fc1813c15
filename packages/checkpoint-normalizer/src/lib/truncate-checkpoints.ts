import type { Message } from "@holdfast/message-schema";
import { parseCheckpoint } from "./parse-checkpoint.ts";

/**
 * The records of a chain that a truncated transcript keeps: those whose boundary is still in it, as stored. When a turn
 * is rolled back the checkpoints made in it go with it; an older one speaks again.
 */
export function truncateCheckpoints(chain: readonly unknown[], transcript: readonly Message[]): unknown[] {
  const ids = new Set(transcript.map(({ id }) => id));
  return chain.filter((record) => {
    const parsed = parseCheckpoint(record);
    return parsed.ok && ids.has(parsed.checkpoint.throughMessageId);
  });
}

import type { Message } from "@holdfast/message-schema";
import { isJsonObject } from "./json-value.ts";

/**
 * The records of a chain that a truncated transcript keeps: those whose boundary is still in it, as stored, those of a
 * newer version included. When a turn is rolled back the checkpoints made in it go with it; an older one speaks again.
 */
export function truncateCheckpoints(chain: readonly unknown[], transcript: readonly Message[]): unknown[] {
  const ids = new Set<unknown>(transcript.map(({ id }) => id));
  return chain.filter((record) => isJsonObject(record) && ids.has(record.throughMessageId));
}

import { parseCheckpoint } from "@holdfast/checkpoint-normalizer";
import type { CheckpointStore } from "./checkpoint-store.ts";
import { encodeRecord } from "./encode-record.ts";

/** A store that lives as long as its process: for tests, replays, and hosts that keep records themselves. */
export function createMemoryStore(): CheckpointStore {
  const chains = new Map<string, string[]>();
  return {
    async append(conversationId, checkpoint, { expectedGeneration, isBoundaryPresent }) {
      const record = encodeRecord(checkpoint, expectedGeneration);
      const chain = chains.get(conversationId) ?? [];
      const newest = chain.at(-1);
      // Every record is one generation after the one before it, so the length is the newest generation.
      const isExpected = chain.length === expectedGeneration;
      if (!isExpected || isBoundaryPresent?.() === false) {
        const parsed = newest === undefined ? undefined : parseCheckpoint(JSON.parse(newest));
        const reason = isExpected ? "boundary_gone" : "conflict";
        return { ok: false, reason, newest: parsed?.ok === true ? parsed.checkpoint : undefined };
      }
      chains.set(conversationId, [...chain, record]);
      return { ok: true, generation: expectedGeneration + 1 };
    },
    async list(conversationId) {
      return (chains.get(conversationId) ?? []).map((record): unknown => JSON.parse(record));
    },
  };
}

import { type Checkpoint, selectCheckpoint } from "@holdfast/checkpoint-normalizer";
import type { AppendResult, CheckpointStore } from "@holdfast/checkpoint-store";
import type { Message } from "@holdfast/message-schema";

/** One conversation's records: read from the store once, again after a conflict, and as they are appended. */
export interface CheckpointChain {
  load(): Promise<void>;
  /** Every record as the store returns it, oldest first. */
  records(): readonly unknown[];
  /** Generation of the newest record, whether or not it can be used; 0 for none. */
  generation(): number;
  /** The record in force for this transcript. */
  current(transcript: readonly Message[]): Checkpoint | undefined;
  append(checkpoint: Checkpoint, isBoundaryPresent: () => boolean): Promise<AppendResult>;
}

export function createCheckpointChain(store: CheckpointStore, conversationId: string): CheckpointChain {
  let records: readonly unknown[] | undefined;
  let newest = 0;
  let selected: { readonly checkpoint: Checkpoint; readonly boundaryIndex: number } | undefined;

  const hold = (chain: readonly unknown[]) => {
    records = chain;
    newest = selectCheckpoint(chain, []).generation;
    selected = undefined;
  };
  const find = (transcript: readonly Message[]) => {
    const { checkpoint } = selectCheckpoint(records ?? [], transcript);
    if (checkpoint === undefined) return undefined;
    return { checkpoint, boundaryIndex: transcript.findLastIndex(({ id }) => id === checkpoint.throughMessageId) };
  };

  return {
    load: async () => {
      if (records === undefined) hold(await store.list(conversationId));
    },
    records: () => records ?? [],
    generation: () => newest,
    current: (transcript) => {
      if (records === undefined || records.length === 0) return undefined;
      // Looked for again only when the transcript no longer holds the boundary where it was: a rewind or a fork.
      const stillThere = transcript[selected?.boundaryIndex ?? -1]?.id === selected?.checkpoint.throughMessageId;
      if (selected === undefined || !stillThere) selected = find(transcript);
      return selected?.checkpoint;
    },
    append: async (checkpoint, isBoundaryPresent) => {
      try {
        const result = await store.append(conversationId, checkpoint, {
          expectedGeneration: newest,
          isBoundaryPresent,
        });
        // What is in force is what JSON carries, so that a restart finds the same.
        if (result.ok) hold([...(records ?? []), JSON.parse(JSON.stringify(checkpoint))]);
        else records = undefined;
        return result;
      } catch (error) {
        records = undefined;
        throw error;
      }
    },
  };
}

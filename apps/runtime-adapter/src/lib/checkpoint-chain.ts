import { type Checkpoint, parseCheckpoint, selectCheckpoint } from "@holdfast/checkpoint-normalizer";
import type { AppendResult, CheckpointStore } from "@holdfast/checkpoint-store";
import type { Message } from "@holdfast/message-schema";

/** One conversation's records: read from the store once, again after a conflict, and as they are appended. */
export interface CheckpointChain {
  load(): Promise<void>;
  /** Every record as the store returns it, oldest first. */
  records(): readonly unknown[];
  /** Generation of the newest record; 0 for none. */
  generation(): number;
  /** The record in force for this transcript. */
  current(transcript: readonly Message[]): Checkpoint | undefined;
  append(checkpoint: Checkpoint): Promise<AppendResult>;
}

export function createCheckpointChain(store: CheckpointStore, conversationId: string): CheckpointChain {
  let records: readonly unknown[] | undefined;
  let selected: { checkpoint: Checkpoint | undefined; boundaryIndex: number } | undefined;

  const read = async () => {
    records = await store.list(conversationId);
    selected = undefined;
  };
  const generation = () =>
    (records ?? []).reduce<number>((newest, record) => {
      const parsed = parseCheckpoint(record);
      return parsed.ok ? Math.max(newest, parsed.checkpoint.details.generation) : newest;
    }, 0);

  return {
    load: async () => {
      if (records === undefined) await read();
    },
    records: () => records ?? [],
    generation,
    current: (transcript) => {
      if ((records ?? []).length === 0) return undefined;
      const stillThere =
        selected?.checkpoint !== undefined &&
        transcript[selected.boundaryIndex]?.id === selected.checkpoint.throughMessageId;
      if (!stillThere) {
        const { checkpoint } = selectCheckpoint(records ?? [], transcript);
        const boundaryIndex = transcript.findLastIndex((message) => message.id === checkpoint?.throughMessageId);
        selected = { checkpoint, boundaryIndex };
      }
      return selected?.checkpoint;
    },
    append: async (checkpoint) => {
      const result = await store.append(conversationId, checkpoint, { expectedGeneration: generation() });
      // What is in force is always what the store gives back, so that a restart finds the same.
      await read();
      return result;
    },
  };
}

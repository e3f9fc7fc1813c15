import { type Checkpoint, newestGeneration, selectCheckpoint } from "@holdfast/checkpoint-normalizer";
import type { AppendResult, CheckpointStore } from "@holdfast/checkpoint-store";
import type { Message } from "@holdfast/message-schema";

/** One conversation's records: read from the store once, again after a conflict, and as they are appended. */
export interface CheckpointChain {
  /** Never rejects: after a failed read what was known before still holds, and the next call reads again. */
  load(): Promise<void>;
  /** What the newest read threw, if it failed. Nothing may be appended to a chain that is not known. */
  readFailure(): { readonly cause: unknown } | undefined;
  /** Whether the newest append threw and nothing has been stored since: the next one may well throw too. */
  isWriteFailing(): boolean;
  /** Every record as the store returns it, oldest first. */
  records(): readonly unknown[];
  /** Generation of the newest record, whether or not it can be used; 0 for none. */
  generation(): number;
  /** The record in force for this transcript. */
  current(transcript: readonly Message[]): Checkpoint | undefined;
  append(checkpoint: Checkpoint, isBoundaryPresent: () => boolean): Promise<AppendResult>;
}

export function createCheckpointChain(store: CheckpointStore, conversationId: string): CheckpointChain {
  let records: readonly unknown[] = [];
  let isCurrent = false;
  let reading: Promise<void> | undefined;
  let readFailure: { readonly cause: unknown } | undefined;
  let isWriteFailing = false;
  let newest = 0;
  let selected: { readonly checkpoint: Checkpoint; readonly boundaryIndex: number } | undefined;

  const hold = (chain: readonly unknown[]) => {
    records = chain;
    isCurrent = true;
    readFailure = undefined;
    const newestBefore = newest;
    newest = newestGeneration(chain);
    // A record that came all the same, or from another writer: the store can be written.
    if (newest > newestBefore) isWriteFailing = false;
    selected = undefined;
  };
  const find = (transcript: readonly Message[]) => {
    const { checkpoint } = selectCheckpoint(records, transcript);
    if (checkpoint === undefined) return undefined;
    return { checkpoint, boundaryIndex: transcript.findLastIndex(({ id }) => id === checkpoint.throughMessageId) };
  };

  const read = async () => {
    try {
      hold(await store.list(conversationId));
    } catch (cause) {
      readFailure = { cause };
    } finally {
      reading = undefined;
    }
  };

  return {
    load: async () => {
      if (isCurrent) return;
      // Callers at once share a read: a slower one of its own would undo what was appended after a faster one.
      reading ??= read();
      await reading;
    },
    readFailure: () => readFailure,
    isWriteFailing: () => isWriteFailing,
    records: () => records,
    generation: () => newest,
    current: (transcript) => {
      if (records.length === 0) return undefined;
      // Looked for again when the transcript no longer holds the boundary where it was (a rewind, a fork), and while an
      // older record is in force: the transcript may have come back to the newest one's branch.
      const isNewest = selected?.checkpoint.details.generation === newest;
      const stillThere = transcript[selected?.boundaryIndex ?? -1]?.id === selected?.checkpoint.throughMessageId;
      if (selected === undefined || !isNewest || !stillThere) selected = find(transcript);
      return selected?.checkpoint;
    },
    append: async (checkpoint, isBoundaryPresent) => {
      try {
        const result = await store.append(conversationId, checkpoint, {
          expectedGeneration: newest,
          isBoundaryPresent,
        });
        // What is in force is what JSON carries, so that a restart finds the same.
        if (result.ok) hold([...records, JSON.parse(JSON.stringify(checkpoint))]);
        else isCurrent = false;
        return result;
      } catch (error) {
        isCurrent = false;
        isWriteFailing = true;
        throw error;
      }
    },
  };
}

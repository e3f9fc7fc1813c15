import type { Message } from "@holdfast/message-schema";
import type { Checkpoint } from "./checkpoint.ts";
import type { CheckpointDiagnostic } from "./checkpoint-diagnostic.ts";
import { newestGeneration } from "./generations.ts";
import { normalizeCheckpoint } from "./normalize-checkpoint.ts";
import { usableRecords } from "./usable-records.ts";

export interface SelectedCheckpoint {
  /** Normalized; absent when no record can speak for the transcript. */
  readonly checkpoint?: Checkpoint;
  /**
   * The highest generation of the chain, records that were passed over included; 0 for an empty one. What the next
   * append expects, since a store counts those records too.
   */
  readonly generation: number;
  /** About the records that were looked at: the chosen one and those passed over for it. */
  readonly diagnostics: readonly CheckpointDiagnostic[];
}

/**
 * The record that speaks for a transcript: of those that can be read, whose boundary is in the transcript and whose
 * summary is whole, the one of the highest generation. The others contribute nothing. With none, the transcript speaks
 * for itself: never a summary alone.
 */
export function selectCheckpoint(chain: readonly unknown[], transcript: readonly Message[]): SelectedCheckpoint {
  const diagnostics: CheckpointDiagnostic[] = [];
  const generation = newestGeneration(chain);
  for (const { checkpoint } of usableRecords(chain, transcript, diagnostics)) {
    const normalized = normalizeCheckpoint(checkpoint);
    diagnostics.push(...normalized.diagnostics);
    return { checkpoint: normalized.checkpoint, generation, diagnostics };
  }
  return { generation, diagnostics };
}

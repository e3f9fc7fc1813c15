import type { Message } from "@holdfast/message-schema";
import type { Checkpoint } from "./checkpoint.ts";
import type { CheckpointDiagnostic } from "./checkpoint-diagnostic.ts";
import { claimedGenerations } from "./generations.ts";
import { parseCheckpoint } from "./parse-checkpoint.ts";
import { summaryProblem } from "./summary-problem.ts";

export interface UsableRecord {
  readonly checkpoint: Checkpoint;
  /** Where in the transcript its boundary stands. */
  readonly boundaryIndex: number;
}

/**
 * The records of a chain that may speak for this transcript, the highest generation first. One is read only when it is
 * asked for, so the usual case reads one record however long the chain is. What was passed over goes to `diagnostics`.
 */
export function* usableRecords(
  chain: readonly unknown[],
  transcript: readonly Message[],
  diagnostics: CheckpointDiagnostic[],
): Generator<UsableRecord> {
  const generations = claimedGenerations(chain);
  const newestFirst = [...chain.keys()].sort((a, b) => (generations[b] ?? 0) - (generations[a] ?? 0) || b - a);
  const positions = new Map(transcript.map(({ id }, position) => [id, position]));
  for (const place of newestFirst) {
    const parsed = parseCheckpoint(chain[place]);
    diagnostics.push(...parsed.diagnostics);
    if (!parsed.ok) continue;
    const checkpoint = withGeneration(parsed.checkpoint, generations[place] ?? 0);
    const problem = summaryProblem(checkpoint);
    if (problem !== undefined) {
      diagnostics.push({ ...problem, message: `${problem.message}: passed over` });
      continue;
    }
    const boundaryIndex = positions.get(checkpoint.throughMessageId);
    if (boundaryIndex === undefined) {
      diagnostics.push({
        code: "boundary_gone",
        checkpointId: checkpoint.id,
        field: "throughMessageId",
        message: `its boundary ${checkpoint.throughMessageId} is not in the transcript: passed over`,
      });
      continue;
    }
    yield { checkpoint, boundaryIndex };
  }
}

function withGeneration(checkpoint: Checkpoint, generation: number): Checkpoint {
  if (checkpoint.details.generation === generation) return checkpoint;
  return { ...checkpoint, details: { ...checkpoint.details, generation } };
}

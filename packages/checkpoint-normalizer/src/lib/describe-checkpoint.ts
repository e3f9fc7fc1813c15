import { carriedSummary } from "./carried-summary.ts";
import type { Checkpoint, CheckpointDetails } from "./checkpoint.ts";
import { normalizeCheckpoint } from "./normalize-checkpoint.ts";
import { parseCheckpoint } from "./parse-checkpoint.ts";
import { summaryProblem } from "./summary-problem.ts";

export interface CheckpointDescription {
  /** What the record means, a sentence a line; empty when it cannot be read. */
  readonly lines: readonly string[];
  /** What is wrong with it and what is done about it; empty when nothing is. */
  readonly problems: readonly string[];
}

const maxLineCharacters = 1000;

/** A stored record in words, for people. Any value may be handed in. */
export function describeCheckpoint(value: unknown): CheckpointDescription {
  const parsed = parseCheckpoint(value);
  const wordsOf = ({ field, message }: { readonly field?: string | undefined; readonly message: string }): string =>
    oneLine(field === undefined ? message : `${field}: ${message}`);
  if (!parsed.ok) return { lines: [], problems: parsed.diagnostics.map(wordsOf) };
  const { checkpoint, diagnostics } = parsed;
  const normalized = normalizeCheckpoint(checkpoint);
  const problem = summaryProblem(checkpoint);
  const unusable =
    problem === undefined ? [] : [{ ...problem, message: `${problem.message}: an older record is used` }];
  return {
    lines: [
      `Checkpoint ${checkpoint.id}, ${describeGeneration(checkpoint.details)}, made ${checkpoint.createdAt}${describeModel(checkpoint)}.`,
      `It stands for everything up to message ${checkpoint.throughMessageId}${describeSize(checkpoint)}.`,
      describeOutcome(checkpoint.details),
      describeSummary(checkpoint),
      describeTail(checkpoint, normalized.checkpoint.retainedTail.length),
      describeCoverage(checkpoint.details),
      describeFiles(checkpoint.details),
    ].map(oneLine),
    problems: [...diagnostics, ...unusable, ...normalized.diagnostics].map(wordsOf),
  };
}

/** Ids and words of a record are somebody's data: none breaks a line, or makes it longer than a person reads. */
function oneLine(sentence: string): string {
  const line = sentence.replace(/\p{Cc}/gu, "\ufffd");
  return line.length <= maxLineCharacters ? line : `${line.slice(0, maxLineCharacters).toWellFormed()}…`;
}

function describeGeneration({ generation }: CheckpointDetails): string {
  return generation === 0 ? "generation not recorded" : `generation ${generation}`;
}

function describeModel({ providerId, modelId }: Checkpoint): string {
  const named = [providerId, modelId].filter((name) => name !== undefined);
  return named.length === 0 ? "" : ` with ${named.join("/")}`;
}

/** Nothing where it is 0: another tool's compaction that did not say it. */
function describeSize({ tokensBefore }: Checkpoint): string {
  return tokensBefore === 0 ? "" : ` (${tokensBefore} tokens before it was made)`;
}

function describeOutcome(details: CheckpointDetails): string {
  const mode =
    details.retainedTailMode === "active_turn"
      ? "in the middle of a turn"
      : details.retainedTailMode === "completed_turn"
        ? "after a completed turn"
        : "at a point of the turn it does not record";
  if (details.strategy === "fresh_window")
    return `A fresh window, opened ${mode}: what came before was given up on purpose.`;
  if (details.fallback !== undefined) {
    const policy = details.policy === undefined ? "" : ` by the policy ${details.policy}`;
    return `A fallback, made ${mode}${policy}: ${describeReason(details.failureReason)}.`;
  }
  return `A success, made ${mode}.`;
}

function describeReason(reason: string | undefined): string {
  switch (reason) {
    case undefined:
      return "it does not say why there was no new summary";
    case "no_new_history":
      return "there was nothing that a summary had not read";
    case "summary_budget":
      return "the range did not fit the requests that were allowed";
    case "summary_provider":
      return "asking the model for a summary failed";
    case "checkpoint_oversized":
      return "the summary was too large to be of use";
    default:
      return `the reason it gives is ${JSON.stringify(reason)}`;
  }
}

function describeSummary(checkpoint: Checkpoint): string {
  if (checkpoint.summary === null) return "Its summary cannot be read: the context says so in a fixed line.";
  const length = `${checkpoint.summary.length} characters`;
  const carried = carriedSummary(checkpoint);
  if (carried === undefined) return `Its text (${length}) holds no summary that a model wrote.`;
  if (carried === checkpoint.summary.trim()) return `Its summary has ${length}.`;
  return `Its text (${length}) carries a summary of ${carried.length} characters on to the next one.`;
}

function describeTail({ retainedTail, details }: Checkpoint, replayed: number): string {
  const kind = details.retainedTailShape === "recent_window" ? "a recent window" : "no recent window";
  return `Its tail holds ${count(retainedTail.length, "message")} (${kind}), of which ${replayed} ${replayed === 1 ? "is" : "are"} sent again.`;
}

function describeCoverage({ uncovered }: CheckpointDetails): string {
  if (uncovered === undefined) return "It does not record what no summary has read.";
  if (uncovered.length === 0) return "Everything up to it was read by a summary or given up on purpose.";
  const stretches = uncovered.map(({ from, through }) => `${from} to ${through}`).join(", ");
  return `No summary has read ${count(uncovered.length, "stretch", "stretches")}: ${stretches}.`;
}

function describeFiles({ readFiles = [], modifiedFiles = [] }: CheckpointDetails): string {
  return `It lists ${count(readFiles.length, "file")} read and ${count(modifiedFiles.length, "file")} modified.`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

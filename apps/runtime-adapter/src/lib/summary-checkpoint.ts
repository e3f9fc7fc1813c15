import { type CheckpointDetails, mergeFileLists, summaryMessage } from "@holdfast/checkpoint-normalizer";
import type { Budgets } from "@holdfast/fallback-policy/budgets";
import { type Message, shape } from "@holdfast/message-schema";
import { selectTailWindow } from "@holdfast/tail-window";
import { isRequest } from "./boundary.ts";
import type { ActiveCompactionPlan } from "./compaction-plan.ts";

/** What a checkpoint is made of, before it has an id and a date. */
export interface CheckpointDraft {
  readonly summary: string;
  readonly retainedTail: readonly Message[];
  readonly details: CheckpointDetails;
}

export interface SummaryDraftInput {
  readonly plan: ActiveCompactionPlan;
  readonly budgets: Budgets;
  readonly transcript: readonly Message[];
  readonly windowRange: readonly Message[];
  readonly summary: string;
  readonly files: { readonly readFiles: readonly string[]; readonly modifiedFiles: readonly string[] };
  readonly promptVersion: string;
  readonly uncovered: CheckpointDetails["uncovered"];
  readonly previousDetails: CheckpointDetails | undefined;
  readonly countMessage: (message: Message) => number;
}

/**
 * A successful checkpoint: the summary, and in an active turn the latest request message of the range, shortened with a
 * marker if it has to be. The summary covers everything else, so nothing else stays.
 */
export function draftSummaryCheckpoint(input: SummaryDraftInput): CheckpointDraft {
  const { plan, summary, budgets, countMessage } = input;
  const details: CheckpointDetails = {
    ...mergeFileLists(input.previousDetails, input.files),
    generation: plan.generation,
    strategy: "summary",
    retainedTailMode: plan.mode,
    uncovered: input.uncovered,
    promptVersion: input.promptVersion,
  };
  if (plan.mode === "completed_turn") return { summary, retainedTail: [], details };
  const summaryTokens = draftTokens({ summary, retainedTail: [], details }, countMessage);
  const budgetTokens = Math.min(budgets.retainedUserMax, plan.roomTokens - summaryTokens);
  return { summary, retainedTail: retainedRequest(input, budgetTokens), details };
}

/** Tokens a checkpoint adds to the context. */
export function draftTokens(draft: CheckpointDraft, countMessage: (message: Message) => number): number {
  const head = summaryMessage({ id: "draft", ...draft });
  return [head, ...draft.retainedTail].reduce((sum, message) => sum + countMessage(message), 0);
}

function retainedRequest(input: SummaryDraftInput, budgetTokens: number): readonly Message[] {
  const latest = input.windowRange.findLast(isRequest);
  if (latest === undefined || budgetTokens <= 0) return [];
  // The range may hold a copy that an earlier checkpoint shortened: the transcript has the whole message.
  const whole = input.transcript.findLast((message) => message.id === latest.id) ?? latest;
  return selectTailWindow([whole], { budgetTokens, countTokens: input.countMessage, shape }).messages;
}

/** A checkpoint that gives the range up on purpose. Its fixed text is the normalizer's, as for every blank summary. */
export function draftFreshWindow(plan: ActiveCompactionPlan, previous: CheckpointDetails | undefined): CheckpointDraft {
  return {
    summary: "",
    retainedTail: [],
    details: {
      ...mergeFileLists(previous, { readFiles: [], modifiedFiles: [] }),
      generation: plan.generation,
      strategy: "fresh_window",
      retainedTailMode: plan.mode,
      uncovered: [],
    },
  };
}

import { acceptAnswer } from "./accept-answer.ts";
import type { Clock } from "./clock.ts";
import type { AnswerProblem } from "./prompts-v1.ts";
import type { LinkPlace, Sender } from "./sender.ts";
import type { SummaryRequest } from "./summary-model.ts";
import type { SummaryModelError } from "./summary-model-error.ts";

/** How asking one link ended. */
export type LinkOutcome =
  | { readonly kind: "summary"; readonly summary: string }
  | { readonly kind: "overflow" }
  | { readonly kind: "failed" }
  | { readonly kind: "aborted" };

interface AskOptions {
  readonly sender: Sender;
  readonly place: LinkPlace;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly reservedMarks?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_TRANSPORT_RETRIES = 3;
const FIRST_WAIT_MS = 2000;
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Asks one link until there is a summary or no reason to ask again: transport errors up to three times after 2, 4 and
 * 8 s, a sending that ran into its deadline once, an answer that is no summary once, with a word on what was wrong.
 */
export async function askLink(
  request: (correction?: AnswerProblem) => SummaryRequest,
  options: AskOptions,
): Promise<LinkOutcome> {
  const { sender, place, clock, random, reservedMarks, signal } = options;
  let transportErrors = 0;
  let deadlines = 0;
  let correction: AnswerProblem | undefined;
  for (;;) {
    const sending = await sender.send(request(correction), place);
    if (sending === undefined) return { kind: "failed" };
    switch (sending.kind) {
      case "aborted":
        return { kind: "aborted" };
      case "deadline":
        deadlines += 1;
        if (deadlines > 1) return { kind: "failed" };
        break;
      case "error": {
        const { error } = sending;
        if (error.kind === "overflow") return { kind: "overflow" };
        transportErrors += 1;
        if (error.kind !== "transport" || transportErrors > MAX_TRANSPORT_RETRIES) return { kind: "failed" };
        const waitMs = waitBeforeRetry(error, transportErrors, random);
        if (waitMs >= sender.timeLeftMs(place)) return { kind: "failed" };
        if (!(await slept(clock, waitMs, signal))) return { kind: "aborted" };
        break;
      }
      case "answer": {
        const acceptance = acceptAnswer(sending.answer, { reservedMarks });
        if (acceptance.ok) return { kind: "summary", summary: acceptance.summary };
        if (correction !== undefined) return { kind: "failed" };
        correction = acceptance.problem;
        break;
      }
      default:
        sending satisfies never;
    }
  }
}

/** What the provider asked for, up to a minute; else 2, 4, 8 s, each up to a quarter longer so that clients spread. */
function waitBeforeRetry(error: SummaryModelError, attempt: number, random: () => number): number {
  const asked = error.retryAfterMs ?? 0;
  // No time, a time that is over or a value that is no number: the provider said nothing.
  if (asked > 0) return Math.min(asked, MAX_RETRY_AFTER_MS);
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + random() / 4);
}

async function slept(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return !signal?.aborted;
}

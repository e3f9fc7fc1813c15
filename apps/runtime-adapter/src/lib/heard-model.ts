import { type SummaryAnswer, type SummaryModel, SummaryModelError } from "@holdfast/chunked-summarizer";
import { describeValue } from "./describe-value.ts";

/** A summary model that remembers what was wrong the last time it was asked. */
export interface HeardModel {
  readonly model: SummaryModel;
  /** What it threw last, or an error that says how its answer was none; `undefined` after an answer of the right form. */
  mistake(): unknown;
}

const stopReasons: readonly unknown[] = [
  "stop",
  "length",
  "tool",
  "refusal",
  "other",
] satisfies SummaryAnswer["stopReason"][];

/**
 * Listens to the host's model, since a summary that failed says why in a closed word only. A `SummaryModelError` is told
 * without its cause, which is the provider's; anything else that is thrown is a mistake of the host's own, and told as is.
 */
export function heardModel(model: SummaryModel): HeardModel {
  let mistake: unknown;
  const complete: SummaryModel["complete"] = async (request, options) => {
    // What comes after the deadline or an abort is nobody's answer.
    const note = (found: unknown) => {
      if (!options.signal.aborted) mistake = found;
    };
    mistake = undefined;
    try {
      const answer = await model.complete(request, options);
      note(mistakeIn(answer));
      return answer;
    } catch (error) {
      note(error instanceof SummaryModelError ? withoutCause(error) : error);
      throw error;
    }
  };
  const { contextWindow, maxOutputTokens, providerId, modelId } = model;
  return { model: { contextWindow, maxOutputTokens, providerId, modelId, complete }, mistake: () => mistake };
}

function withoutCause({ kind, status, retryAfterMs }: SummaryModelError): SummaryModelError {
  return new SummaryModelError(kind, { status, retryAfterMs });
}

function mistakeIn(answer: unknown): TypeError | undefined {
  if (typeof answer !== "object" || answer === null || !("text" in answer) || typeof answer.text !== "string") {
    return new TypeError("summaryModel.complete must answer with an object that has a text");
  }
  const stopReason = "stopReason" in answer ? answer.stopReason : undefined;
  if (stopReasons.includes(stopReason)) return undefined;
  return new TypeError(
    `summaryModel.complete must answer with a stopReason of ${stopReasons.join(", ")}, got ${describeValue(stopReason)}`,
  );
}

import type { Checkpoint } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { type Calibration, calibrateTokens, createCalibration, observeUsage } from "@holdfast/token-counter/calibrate";
import { isDiscarded } from "./boundary.ts";

/** How large a request is. */
export interface RequestSize {
  /** Tokens of the request, the overhead included. */
  readonly tokens: number;
  /** The same with the counted part corrected by what the provider has reported so far: what the trigger looks at. */
  readonly triggerTokens: number;
  /** The factor of that correction; 1 until something was learned. */
  readonly calibration: number;
  /** Tokens of the largest request since the checkpoint that was answered, in whatever way; `-Infinity` for none. */
  readonly largestAnswered: number;
}

export interface MeasureInput {
  readonly transcript: readonly Message[];
  /** What would be sent of it, without leading system messages. */
  readonly context: readonly Message[];
  readonly checkpoint?: Checkpoint | undefined;
  /** Tokens of the system prompt and the tool schemas. */
  readonly overheadTokens: number;
  readonly countMessage: (message: Message) => number;
  readonly model: { readonly providerId?: string | undefined; readonly modelId?: string | undefined };
}

/**
 * The usage on the newest assistant message after the newest checkpoint plus a count of what follows it, else a count
 * of everything. Usage that measured another context is never used: from before the checkpoint, of another provider or
 * model, of a discarded message, or off from the count by more than a factor of 0.5 to 3. A function of transcript and
 * checkpoint alone, so that a restart measures the same.
 */
export function measureRequest(input: MeasureInput): RequestSize {
  const fresh = messagesSinceCheckpoint(input);
  const freshIds = new Set(fresh.map(({ id }) => id));
  const answers = answersIn(fresh);
  let calibration: Calibration = createCalibration(input.checkpoint?.details.calibration);
  let counted = input.overheadTokens;
  let reported = { tokens: 0, countedUntilThere: 0 };
  let largestAnswered = Number.NEGATIVE_INFINITY;
  const tokensSoFar = () => reported.tokens + counted - reported.countedUntilThere;
  for (const message of input.context) {
    if (answers.has(message.id)) largestAnswered = Math.max(largestAnswered, tokensSoFar());
    counted += input.countMessage(message);
    const usage = freshIds.has(message.id) ? reportedTokens(message, input.model) : undefined;
    if (usage === undefined) continue;
    calibration = observeUsage(calibration, { counted, reported: usage });
    if (usage >= counted * 0.5 && usage <= counted * 3) reported = { tokens: usage, countedUntilThere: counted };
  }
  const countedPart = counted - reported.countedUntilThere;
  const newest = fresh.at(-1);
  if (newest !== undefined && isDiscarded(newest)) largestAnswered = Math.max(largestAnswered, tokensSoFar());
  return {
    tokens: tokensSoFar(),
    triggerTokens: reported.tokens + calibrateTokens(countedPart, calibration),
    calibration: calibration.factor,
    largestAnswered,
  };
}

/** What was added since the checkpoint was made; what stood behind its boundary then was measured before. */
function messagesSinceCheckpoint({ transcript, checkpoint }: MeasureInput): readonly Message[] {
  const measuredBefore = [checkpoint?.details.atMessageId, checkpoint?.throughMessageId];
  return transcript.slice(transcript.findLastIndex(({ id }) => measuredBefore.includes(id)) + 1);
}

/** Ids of the messages before which a request was answered: its answer, or what follows one that is never sent again. */
function answersIn(messages: readonly Message[]): ReadonlySet<string> {
  const isAfterAnswer = (message: Message, index: number) => {
    const before = messages[index - 1];
    return message.role === "assistant" || (before !== undefined && isDiscarded(before));
  };
  return new Set(messages.filter(isAfterAnswer).map(({ id }) => id));
}

function reportedTokens(message: Message, model: MeasureInput["model"]): number | undefined {
  if (message.role !== "assistant" || isDiscarded(message)) return undefined;
  const differs = (a: string | undefined, b: string | undefined) => a !== undefined && b !== undefined && a !== b;
  if (differs(message.provider, model.providerId) || differs(message.model, model.modelId)) return undefined;
  const total = message.usage?.totalTokens ?? 0;
  return total > 0 ? total : undefined;
}

import type { Checkpoint } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { type Calibration, createCalibration, observeUsage } from "@holdfast/token-counter/calibrate";
import { isDiscarded } from "./boundary.ts";

/** How large a request is. */
export interface RequestSize {
  /** Tokens of the request, the overhead included. */
  readonly tokens: number;
  /** The same with the counted part corrected by what the provider has reported so far: what the trigger looks at. */
  readonly triggerTokens: number;
  /** The factor of that correction; 1 until something was learned. */
  readonly calibration: number;
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
  let calibration: Calibration = createCalibration(input.checkpoint?.details.calibration);
  let counted = input.overheadTokens;
  let reported = { tokens: 0, countedUntilThere: 0 };
  for (const message of input.context) {
    counted += input.countMessage(message);
    const usage = fresh.has(message.id) ? reportedTokens(message, input.model) : undefined;
    if (usage === undefined) continue;
    calibration = observeUsage(calibration, { counted, reported: usage });
    if (usage >= counted * 0.5 && usage <= counted * 3) reported = { tokens: usage, countedUntilThere: counted };
  }
  const countedPart = counted - reported.countedUntilThere;
  return {
    tokens: reported.tokens + countedPart,
    triggerTokens: reported.tokens + Math.ceil(countedPart * calibration.factor),
    calibration: calibration.factor,
  };
}

/** Ids of what was added since the checkpoint was made; what stood behind its boundary then was measured before. */
function messagesSinceCheckpoint({ transcript, checkpoint }: MeasureInput): ReadonlySet<string> {
  const measuredBefore = [checkpoint?.details["atMessageId"], checkpoint?.throughMessageId];
  const newest = transcript.findLastIndex(({ id }) => measuredBefore.includes(id));
  return new Set(transcript.slice(newest + 1).map(({ id }) => id));
}

function reportedTokens(message: Message, model: MeasureInput["model"]): number | undefined {
  if (message.role !== "assistant" || isDiscarded(message)) return undefined;
  const differs = (a: string | undefined, b: string | undefined) => a !== undefined && b !== undefined && a !== b;
  if (differs(message.provider, model.providerId) || differs(message.model, model.modelId)) return undefined;
  const total = message.usage?.totalTokens ?? 0;
  return total > 0 ? total : undefined;
}

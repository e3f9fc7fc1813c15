import type { Checkpoint } from "@holdfast/checkpoint-normalizer";
import type { AssistantMessage, Message } from "@holdfast/message-schema";
import { isDiscarded } from "./boundary.ts";

/** How large a request is, and how much of that was counted here rather than reported by the provider. */
export interface RequestSize {
  /** Tokens of the request, the overhead included. */
  readonly tokens: number;
  /** The part of `tokens` that was counted. */
  readonly countedTokens: number;
  /** What the provider reported for the front part of the request and what is counted for the same part. */
  readonly observation?: { readonly reported: number; readonly counted: number } | undefined;
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
 * model, of a discarded message, or off from the count by more than a factor of 0.5 to 3.
 */
export function measureRequest(input: MeasureInput): RequestSize {
  const { context, countMessage, overheadTokens } = input;
  const reporter = newestReporter(input);
  const reporterIndex = reporter === undefined ? -1 : context.findLastIndex((message) => message.id === reporter.id);
  const count = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + countMessage(message), 0);
  const counted = overheadTokens + count(context.slice(0, reporterIndex + 1));
  const after = count(context.slice(reporterIndex + 1));
  if (reporter === undefined || reporterIndex < 0) return { tokens: counted + after, countedTokens: counted + after };
  const reported = reporter.totalTokens;
  const isPlausible = reported >= counted * 0.5 && reported <= counted * 3;
  return isPlausible
    ? { tokens: reported + after, countedTokens: after, observation: { reported, counted } }
    : { tokens: counted + after, countedTokens: counted + after };
}

function newestReporter(input: MeasureInput): { id: string; totalTokens: number } | undefined {
  const { transcript, checkpoint } = input;
  // A checkpoint is made after its boundary: what stood behind the boundary then was measured in the old context.
  const measuredBefore = [checkpoint?.details["atMessageId"], checkpoint?.throughMessageId];
  for (let index = transcript.length - 1; index >= 0; index -= 1) {
    const message = transcript[index];
    if (message === undefined || measuredBefore.includes(message.id)) return undefined;
    if (message.role !== "assistant" || isDiscarded(message)) continue;
    const totalTokens = message.usage?.totalTokens ?? 0;
    if (totalTokens > 0 && isSameModel(message, input.model)) return { id: message.id, totalTokens };
  }
  return undefined;
}

function isSameModel(message: AssistantMessage, model: MeasureInput["model"]): boolean {
  const differs = (a: string | undefined, b: string | undefined) => a !== undefined && b !== undefined && a !== b;
  return !differs(message.provider, model.providerId) && !differs(message.model, model.modelId);
}

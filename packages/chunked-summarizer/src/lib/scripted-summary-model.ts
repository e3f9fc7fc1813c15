import type { Clock } from "./clock.ts";
import type { SummaryAnswer, SummaryModel, SummaryModelUsage, SummaryRequest } from "./summary-model.ts";
import { SummaryModelError, type SummaryModelErrorKind } from "./summary-model-error.ts";

/** What the scripted model does with one request. A string is an answer that ends by itself. */
export type SummaryStep =
  | string
  | {
      readonly text: string;
      readonly stopReason?: SummaryAnswer["stopReason"] | undefined;
      readonly usage?: SummaryModelUsage | undefined;
      /** How long the answer takes on the clock. */
      readonly delayMs?: number | undefined;
    }
  | {
      readonly fail: SummaryModelErrorKind;
      readonly status?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly delayMs?: number | undefined;
      /** What a stream had brought before it broke. The error has it in its cause: nothing of it may be seen again. */
      readonly streamed?: string | undefined;
    }
  /** Never answers; ends with the signal. */
  | { readonly hang: true }
  /** Throws a value that is no `SummaryModelError`. */
  | { readonly throws: unknown }
  | ((request: SummaryRequest, index: number) => SummaryStep);

export interface ScriptedSummaryModelOptions {
  /** Tokens, 128,000 by default. */
  readonly contextWindow?: number | undefined;
  /** Tokens, 16,384 by default. */
  readonly maxOutputTokens?: number | undefined;
  /** Needed for `delayMs`. */
  readonly clock?: Clock | undefined;
  /** Called with the error when a request comes after the last step. By default the error goes unhandled. */
  readonly onUnexpectedRequest?: ((error: Error) => void) | undefined;
}

export interface ScriptedSummaryModel extends SummaryModel {
  /** Every request, in order, the unexpected ones included. */
  readonly requests: readonly SummaryRequest[];
  /** Signals of the requests, in the same order. */
  readonly signals: readonly AbortSignal[];
  /** Steps that no request has used. */
  readonly remaining: number;
}

/**
 * A model that does what a list says, one step for each request, and records the requests. A request after the last
 * step is refused with an error that also goes unhandled, so that a test fails even where the error is caught.
 */
export function createScriptedSummaryModel(
  steps: readonly SummaryStep[],
  options: ScriptedSummaryModelOptions = {},
): ScriptedSummaryModel {
  const { contextWindow = 128_000, maxOutputTokens = 16_384, clock, onUnexpectedRequest = leaveUnhandled } = options;
  const requests: SummaryRequest[] = [];
  const signals: AbortSignal[] = [];
  return {
    contextWindow,
    maxOutputTokens,
    providerId: "scripted",
    modelId: "scripted",
    requests,
    signals,
    get remaining() {
      return Math.max(0, steps.length - requests.length);
    },
    async complete(request, { signal }) {
      const index = requests.push(request) - 1;
      signals.push(signal);
      const step = steps[index];
      if (step === undefined) {
        const error = new Error(`request ${index + 1} was not expected: the script has ${steps.length} steps`);
        onUnexpectedRequest(error);
        throw error;
      }
      return await play(typeof step === "function" ? step(request, index) : step, { request, index, signal, clock });
    },
  };
}

interface PlayContext {
  readonly request: SummaryRequest;
  readonly index: number;
  readonly signal: AbortSignal;
  readonly clock: Clock | undefined;
}

async function play(step: SummaryStep, context: PlayContext): Promise<SummaryAnswer> {
  const { request, index, signal, clock } = context;
  if (typeof step === "string") return { text: step, stopReason: "stop" };
  if (typeof step === "function") return await play(step(request, index), context);
  if ("hang" in step) return await untilAborted(signal);
  if ("throws" in step) throw step.throws;
  if (step.delayMs !== undefined) {
    if (clock === undefined) throw new TypeError("a step with delayMs needs the clock option");
    await clock.sleep(step.delayMs, signal);
  }
  if ("fail" in step) {
    const cause = step.streamed === undefined ? undefined : new Error(`the stream broke after: ${step.streamed}`);
    throw new SummaryModelError(step.fail, { status: step.status, retryAfterMs: step.retryAfterMs, cause });
  }
  return { text: step.text, stopReason: step.stopReason ?? "stop", ...(step.usage && { usage: step.usage }) };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function leaveUnhandled(error: Error): void {
  void Promise.reject(error);
}

import type { Clock } from "./clock.ts";
import type { SummaryAnswer, SummaryModel, SummaryRequest } from "./summary-model.ts";
import { SummaryModelError } from "./summary-model-error.ts";

/** How one sending ended. */
export type Sending =
  | { readonly kind: "answer"; readonly answer: SummaryAnswer }
  | { readonly kind: "error"; readonly error: SummaryModelError }
  | { readonly kind: "deadline" }
  | { readonly kind: "aborted" };

interface SendOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request once. It ends with the model's answer, at the deadline or at the abort, whichever is first, also when
 * the model does not listen to its signal. Never rejects.
 */
export async function sendRequest(
  model: SummaryModel,
  request: SummaryRequest,
  { clock, timeoutMs, signal }: SendOptions,
): Promise<Sending> {
  if (signal?.aborted) return { kind: "aborted" };
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const sending = await Promise.race([
      complete(model, request, stop.signal),
      clock.sleep(timeoutMs, stop.signal).then(
        (): Sending => ({ kind: "deadline" }),
        (): Sending => ({ kind: "aborted" }),
      ),
    ]);
    // The model may reject first when both hear of the abort.
    return signal?.aborted ? { kind: "aborted" } : sending;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    stop.abort();
  }
}

async function complete(model: SummaryModel, request: SummaryRequest, signal: AbortSignal): Promise<Sending> {
  try {
    const answer = await model.complete(request, { signal });
    // A model is the user's own code: what it answers is not what its type says, sometimes.
    if (typeof answer?.text !== "string") throw new TypeError("the summary model answered without a text");
    return { kind: "answer", answer };
  } catch (cause) {
    const error = cause instanceof SummaryModelError ? cause : new SummaryModelError("rejected", { cause });
    return { kind: "error", error };
  }
}

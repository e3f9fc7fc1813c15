import type { Clock } from "./clock.ts";
import { type Sending, sendRequest } from "./send-request.ts";
import type { SummaryProgress } from "./summarize-options.ts";
import type { SummaryModel, SummaryModelUsage, SummaryRequest } from "./summary-model.ts";
import type { SummaryUsage } from "./summary-result.ts";

const MAX_SENDINGS = 32;
const BASE_DEADLINE_MS = 120_000;
const LINK_DEADLINE_MS = 60_000;

/** Which link of the chain a sending is for, from 1. */
export interface LinkPlace {
  readonly link: number;
  readonly links: number;
}

/** Sends the requests of one summary, within the bounds that hold for all of them together, and sums what they used. */
export interface Sender {
  /** `undefined` when 32 requests were sent or the time for the whole summary is over. */
  send(request: SummaryRequest, place: LinkPlace): Promise<Sending | undefined>;
  /** Milliseconds until the time is over: two minutes and one for every planned link, from the beginning. */
  timeLeftMs(place: LinkPlace): number;
  readonly requests: number;
  /** `null` until something is sent. */
  readonly usage: SummaryUsage | null;
}

interface SenderOptions {
  readonly clock: Clock;
  readonly sendingTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
}

export function createSender(model: SummaryModel, options: SenderOptions): Sender {
  const { clock, sendingTimeoutMs, signal, onProgress } = options;
  const startedAt = clock.now();
  let requests = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  let incomplete = false;

  const timeLeftMs = ({ links }: LinkPlace) => startedAt + BASE_DEADLINE_MS + LINK_DEADLINE_MS * links - clock.now();

  return {
    get requests() {
      return requests;
    },
    get usage() {
      return requests === 0 ? null : { inputTokens, outputTokens, incomplete };
    },
    timeLeftMs,
    async send(request, place) {
      const leftMs = timeLeftMs(place);
      if (requests === MAX_SENDINGS || leftMs <= 0) return undefined;
      onProgress?.({ ...place, requests: requests + 1, inputTokens, outputTokens });
      if (signal?.aborted) return { kind: "aborted" };
      requests += 1;
      const sending = await sendRequest(model, request, {
        clock,
        timeoutMs: Math.min(sendingTimeoutMs, leftMs),
        signal,
      });
      const usage = sending.kind === "answer" ? countedUsage(sending.answer.usage) : undefined;
      inputTokens += usage?.inputTokens ?? 0;
      outputTokens += usage?.outputTokens ?? 0;
      incomplete ||= usage === undefined;
      return sending;
    },
  };
}

/** A model is the user's own code: a number that is none, or below 0, would make every sum wrong. */
function countedUsage(usage: SummaryModelUsage | undefined): SummaryModelUsage | undefined {
  const isCounted = [usage?.inputTokens, usage?.outputTokens].every(
    (tokens = -1) => Number.isFinite(tokens) && tokens >= 0,
  );
  return isCounted ? usage : undefined;
}

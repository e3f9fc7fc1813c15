import type { FailureReason } from "@holdfast/fallback-policy";
import type { Message } from "@holdfast/message-schema";

/** Holds the model back after attempts that failed or freed nothing. JSON: a checkpoint records it in `details.limiter`. */
export interface LimiterState {
  /** No model is asked until messages of this many tokens were added after `sinceMessageId`. */
  readonly waitTokens: number;
  /** Newest message of the transcript when the attempt was made. */
  readonly sinceMessageId: string;
  /** Why the last attempt failed; absent when it succeeded and freed too little. */
  readonly reason?: FailureReason | undefined;
}

export interface Attempt {
  readonly sinceMessageId: string;
  readonly failureReason?: FailureReason | undefined;
  readonly askedModel: boolean;
  /** Tokens of the request before the attempt minus those after it. */
  readonly freedTokens: number;
}

/** The limiter after an attempt; `undefined` is open. The wait starts at a twentieth of the limit and doubles up to a quarter. */
export function afterAttempt(
  state: LimiterState | undefined,
  attempt: Attempt,
  hardLimit: number,
): LimiterState | undefined {
  const failed = attempt.askedModel && attempt.failureReason !== undefined;
  const useless = attempt.freedTokens < hardLimit / 20;
  if (!failed && !useless) return attempt.failureReason === undefined ? undefined : state;
  const waitTokens = state === undefined ? hardLimit / 20 : Math.min(state.waitTokens * 2, hardLimit / 4);
  return {
    waitTokens: Math.ceil(waitTokens),
    sinceMessageId: attempt.sinceMessageId,
    ...(attempt.failureReason === undefined ? {} : { reason: attempt.failureReason }),
  };
}

/** Whether a model may be asked. A transcript that no longer holds the marked message opens the limiter. */
export function isOpen(
  state: LimiterState | undefined,
  transcript: readonly Message[],
  countMessage: (message: Message) => number,
): boolean {
  if (state === undefined) return true;
  let added = 0;
  for (let index = transcript.length - 1; index >= 0; index -= 1) {
    const message = transcript[index];
    if (message === undefined || message.id === state.sinceMessageId) return added >= state.waitTokens;
    added += countMessage(message);
    if (added >= state.waitTokens) return true;
  }
  return true;
}

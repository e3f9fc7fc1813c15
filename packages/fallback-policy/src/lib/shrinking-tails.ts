import type { Message } from "@holdfast/message-schema";
import { latestRequest } from "./latest-request.ts";
import { newestStretch } from "./newest-stretch.ts";
import type { FallbackInput } from "./policy.ts";
import { anchorMaxTokens, type RecentTail, selectRecentTail } from "./recent-tail.ts";
import { shortenMessage } from "./shorten-message.ts";
import { withoutUsage } from "./without-usage.ts";

/** Below this many tokens a window is not worth its place. */
const MIN_WINDOW_TOKENS = 64;
/** A request shortened below this many tokens says nothing any more. */
const MIN_ANCHOR_TOKENS = 16;

/** A tail to try, and the tokens it leaves for a ledger. */
export interface TailAttempt {
  readonly tail: RecentTail;
  readonly ledgerTokens: number;
}

export interface ShrinkingTailsOptions {
  readonly windowTokens: number;
  /** Tokens of a window's budget that a ledger of what this tail leaves out may take. */
  readonly ledgerShare: (tail: RecentTail, budgetTokens: number) => number;
}

/**
 * Tails to try one after the other, each smaller than the one before: the whole window, half of it and so on, then
 * the anchor alone, then a shorter anchor. Without a request to keep the last one is empty.
 */
export function* shrinkingTails(
  input: FallbackInput,
  { windowTokens, ledgerShare }: ShrinkingTailsOptions,
): Generator<TailAttempt, void> {
  const range = newestStretch(input);
  for (let budget = windowTokens; budget >= MIN_WINDOW_TOKENS; budget = Math.floor(budget / 2)) {
    const tail = selectRecentTail(input, { range, budgetTokens: budget });
    const ledgerTokens = ledgerShare(tail, budget);
    const withLedger = () => selectRecentTail(input, { range, budgetTokens: budget - ledgerTokens });
    yield { tail: ledgerTokens === 0 ? tail : withLedger(), ledgerTokens };
  }
  const request = input.mode === "active_turn" ? latestRequest(input) : undefined;
  if (request === undefined) {
    yield { tail: emptyTail, ledgerTokens: 0 };
    return;
  }
  for (
    let maxTokens = anchorMaxTokens(windowTokens);
    maxTokens >= MIN_ANCHOR_TOKENS;
    maxTokens = Math.floor(maxTokens / 2)
  ) {
    yield { tail: anchorAlone(input, request, maxTokens), ledgerTokens: 0 };
  }
}

const emptyTail: RecentTail = {
  messages: [],
  tokens: 0,
  anchorId: undefined,
  windowStartId: undefined,
  shortenedIds: [],
  omitted: [],
};

function anchorAlone(input: FallbackInput, request: Message, maxTokens: number): RecentTail {
  const anchor = shortenMessage(input, request, maxTokens);
  return {
    ...emptyTail,
    messages: [withoutUsage(anchor)],
    tokens: input.countTokens.message(anchor),
    anchorId: request.id,
    shortenedIds: anchor === request ? [] : [request.id],
  };
}

import { stripRecoveryNotice } from "@holdfast/checkpoint-normalizer";
import type { FallbackInput, FallbackPart } from "./policy.ts";
import { MIN_ROOM_BESIDE_NOTICE, room } from "./room.ts";
import { shortenSummary } from "./shorten-summary.ts";
import { summaryText } from "./summary-text.ts";
import { summaryTokens } from "./summary-tokens.ts";

/** What a fallback has paid before its tail: the notice, then the carried summary. */
export interface FallbackPayment {
  readonly ok: true;
  /** Tokens the whole checkpoint may fill. */
  readonly roomTokens: number;
  /** The carried summary, shortened into its share; blank when there is none. */
  readonly carried: string;
  /** The unshortened one, when `carried` is shortened: it is what later checkpoints carry. */
  readonly carriedWhole: string | undefined;
  /** Tokens left for the tail and what explains it. */
  readonly leftTokens: number;
}

/** The newest summary a model wrote: what a broken chain of requests achieved goes before what was carried so far. */
export function summaryToCarry({ partial, carriedSummary }: Pick<FallbackInput, "partial" | "carriedSummary">): string {
  return stripRecoveryNotice(partial?.summary ?? carriedSummary ?? "");
}

/**
 * Pays for the longest notice the policy may write and for the carried summary, which gets at most a quarter of the
 * hard limit and a third of what the notice leaves.
 */
export function payForSummary(
  input: FallbackInput,
  { notice }: { readonly notice: string },
): FallbackPayment | { readonly ok: false; readonly tooLarge: FallbackPart } {
  const { budgets, overheadTokens, countTokens } = input;
  const noticeTokens = summaryTokens(notice, countTokens);
  const roomTokens = room(budgets, { fixedTokens: overheadTokens, noticeTokens });
  if (roomTokens === undefined) {
    const isOverhead = budgets.hardLimit - 1 - overheadTokens < MIN_ROOM_BESIDE_NOTICE;
    return { ok: false, tooLarge: isOverhead ? "overhead" : "notice" };
  }

  const whole = summaryToCarry(input);
  const carriedTokens = (summary: string) => summaryTokens(summaryText(summary, notice), countTokens) - noticeTokens;
  const share = Math.min(Math.floor(budgets.hardLimit / 4), Math.floor((roomTokens - noticeTokens) / 3));
  const carried = whole === "" ? "" : shortenSummary(whole, { fits: (summary) => carriedTokens(summary) <= share });
  return {
    ok: true,
    roomTokens,
    carried,
    carriedWhole: carried === whole ? undefined : whole,
    leftTokens: roomTokens - noticeTokens - carriedTokens(carried),
  };
}

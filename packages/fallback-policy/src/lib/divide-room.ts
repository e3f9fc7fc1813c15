import type { FallbackInput, FallbackPart } from "./policy.ts";
import { MIN_ROOM_BESIDE_NOTICE, room } from "./room.ts";
import { shortenSummary } from "./shorten-summary.ts";
import { summaryText } from "./summary-text.ts";
import { summaryToCarry } from "./summary-to-carry.ts";
import { summaryTokens } from "./summary-tokens.ts";

/** The room of a fallback, divided: the notice first, then the carried summary; the tail gets the rest. */
export interface DividedRoom {
  readonly ok: true;
  /** Tokens the whole checkpoint may fill. */
  readonly roomTokens: number;
  /** The carried summary, shortened into its share; blank when there is none. */
  readonly carried: string;
  /** The unshortened one, when `carried` is shortened: it is what later checkpoints carry. */
  readonly carriedWhole: string | undefined;
  /** Tokens that remain for the retained tail and a ledger of what it leaves out. */
  readonly tailTokens: number;
}

/**
 * Divides the room of a fallback whose policy writes no longer notice than this one. The carried summary gets at most a
 * quarter of the hard limit and a third of what the notice leaves.
 */
export function divideRoom(
  input: FallbackInput,
  { notice }: { readonly notice: string },
): DividedRoom | { readonly ok: false; readonly tooLarge: FallbackPart } {
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
    tailTokens: roomTokens - noticeTokens - carriedTokens(carried),
  };
}

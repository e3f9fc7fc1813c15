import type { Budgets } from "./budgets.ts";

export interface RoomOptions {
  /** Tokens of the system prompt, the tool schemas and all messages behind the boundary. */
  readonly fixedTokens: number;
  /** Tokens of the recovery notice as it will be sent; 0 for a checkpoint without one. */
  readonly noticeTokens: number;
}

/** A checkpoint with fewer tokens than this beside its notice is not worth the attempt. */
export const MIN_ROOM_BESIDE_NOTICE = 512;

/**
 * Tokens a checkpoint may fill, summary and retained tail together. A part stays free, so that the next turn does not
 * compact again; when that would leave next to nothing and the hard limit leaves a little more, that little is given.
 * `undefined`: no attempt is possible.
 */
export function room(budgets: Budgets, { fixedTokens, noticeTokens }: RoomOptions): number | undefined {
  const free = budgets.trigger - fixedTokens;
  const wanted = free - Math.min(Math.ceil(budgets.hardLimit / 10), Math.floor(free / 4));
  const least = noticeTokens + MIN_ROOM_BESIDE_NOTICE;
  if (wanted >= least) return wanted;
  return budgets.hardLimit - 1 - fixedTokens >= least ? least : undefined;
}

import type { Alone, Source } from "./entry.ts";

/**
 * The message in at most `maxTokens`. Nothing when it cannot be made that short, is discarded or empty, or takes part in
 * an exchange.
 */
export function keepAlone<M>(original: M, index: number, maxTokens: number, source: Source<M>): Alone<M> | undefined {
  const { shape, count, mayShorten } = source;
  const pairs = shape.toolCallIds(original).length + shape.toolResultIds(original).length;
  if (pairs > 0 || shape.isDiscarded?.(original) || shape.isEmpty?.(original)) return undefined;
  const whole = shape.withoutBlankText?.(original) ?? original;
  const fits = count(whole, index) <= maxTokens;
  const message =
    fits || !mayShorten ? whole : (shape.shorten?.(whole, maxTokens, (draft) => count(draft, index)) ?? whole);
  const tokens = count(message, index);
  return tokens > maxTokens ? undefined : { message, tokens, isShortened: !fits };
}

/** The pinned messages that fit, newest first; one that does not is shortened into what is left, or left out. */
export function keepPinned<M>(
  source: Source<M>,
  budgetTokens: number,
  isPinned: (message: M) => boolean,
): Map<number, Alone<M>> {
  const pins = new Map<number, Alone<M>>();
  let left = budgetTokens;
  for (let index = source.messages.length - 1; index >= source.firstIndex; index--) {
    const message = source.messages[index] as M;
    const pin = isPinned(message) ? keepAlone(message, index, left, source) : undefined;
    if (!pin) continue;
    pins.set(index, pin);
    left -= pin.tokens;
  }
  return pins;
}

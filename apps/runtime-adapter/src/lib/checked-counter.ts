import type { Counter } from "./compactor-options.ts";
import { describeValue } from "./describe-value.ts";

/**
 * The host's counter, each of its counts looked at. One that is no number would make every comparison false, and so
 * switch off every limit without a word.
 */
export function checkedCounter(counter: Counter): Counter {
  return {
    countText: (text) => checkedCount("countText", counter.countText(text)),
    countMessage: (message) => checkedCount("countMessage", counter.countMessage(message)),
  };
}

/** @throws TypeError for what is no number, RangeError for a number that is no count; each names the function. */
function checkedCount(name: keyof Counter, tokens: unknown): number {
  if (typeof tokens === "number" && tokens >= 0 && tokens < Number.POSITIVE_INFINITY) return tokens;
  const mistake = `counter.${name} must return a number of tokens, 0 or more, got ${describeValue(tokens)}`;
  throw typeof tokens === "number" ? new RangeError(mistake) : new TypeError(mistake);
}

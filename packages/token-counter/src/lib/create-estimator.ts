import { estimateText } from "./estimate-text.ts";
import { createMessageCounter } from "./message-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

/**
 * A counter that needs no table and nothing to load, for where some percent are enough; how many is measured in the
 * README. Use a calibration to bring it closer to a provider's own counts.
 */
export function createEstimator(): TokenCounter {
  return createMessageCounter({ id: "estimate", countText: estimateText });
}

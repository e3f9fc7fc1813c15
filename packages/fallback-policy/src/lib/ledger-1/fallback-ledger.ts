import { type LeftOutOptions, leftOut } from "../left-out.ts";
import type { FallbackInput } from "../policy.ts";
import { collectLedger } from "./collect-ledger.ts";
import type { Ledger } from "./ledger.ts";
import { readLedger } from "./read-ledger.ts";

/**
 * The ledger of a fallback with this tail; `undefined` when nothing is left out. The record before gives the ledger to
 * start from, unless a summary has read some of what it counted: then all is counted anew from the transcript.
 */
export function fallbackLedger(input: FallbackInput, options: LeftOutOptions): Ledger | undefined {
  const { shape, transcript, previousDetails, partial } = input;
  const messages = leftOut(input, options);
  const earlier = partial === undefined ? readLedger(previousDetails?.ledger) : undefined;
  if (earlier === undefined) return collectLedger(messages, { shape });

  const counted = messages.findIndex(({ id }) => id === earlier.through) + 1;
  if (counted === 0 && transcript.some(({ id }) => id === earlier.through)) return collectLedger(messages, { shape });
  return collectLedger(messages.slice(counted), { shape, earlier });
}

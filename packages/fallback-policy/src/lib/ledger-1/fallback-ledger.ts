import type { Message } from "@holdfast/message-schema";
import type { FallbackInput } from "../policy.ts";
import { usablePartial } from "../summary-to-carry.ts";
import { collectLedger } from "./collect-ledger.ts";
import type { Ledger } from "./ledger.ts";
import { readLedger } from "./read-ledger.ts";

/**
 * The ledger of a fallback whose window leaves these messages outside; `undefined` when there are none. The record
 * before gives the ledger to start from, unless a summary has read some of what it counted: then all is counted anew
 * from the transcript.
 */
export function fallbackLedger(input: FallbackInput, outside: readonly Message[]): Ledger | undefined {
  const { shape, transcript, previousDetails } = input;
  const earlier = usablePartial(input) === undefined ? readLedger(previousDetails?.ledger) : undefined;
  if (earlier === undefined) return collectLedger(outside, { shape });

  const counted = outside.findIndex(({ id }) => id === earlier.through) + 1;
  if (counted === 0 && transcript.some(({ id }) => id === earlier.through)) return collectLedger(outside, { shape });
  return collectLedger(outside.slice(counted), { shape, earlier: { ledger: earlier, of: outside.slice(0, counted) } });
}

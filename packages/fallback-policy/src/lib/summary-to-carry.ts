import { stripRecoveryNotice } from "@holdfast/checkpoint-normalizer";
import type { FallbackInput } from "./policy.ts";

/**
 * The newest summary a model wrote, without notices: what a broken chain of requests achieved goes before what was
 * carried so far. Blank when there is none.
 */
export function summaryToCarry(input: Pick<FallbackInput, "partial" | "carriedSummary">): string {
  return usablePartial(input)?.summary ?? stripRecoveryNotice(input.carriedSummary ?? "");
}

/** The partial summary without notices; `undefined` when nothing is left, since it then tells of no message it read. */
export function usablePartial({ partial }: Pick<FallbackInput, "partial">): FallbackInput["partial"] {
  const summary = stripRecoveryNotice(partial?.summary ?? "");
  return partial === undefined || summary === "" ? undefined : { ...partial, summary };
}

import { summaryMessage } from "@holdfast/checkpoint-normalizer";
import type { FallbackInput } from "./policy.ts";

/** Tokens of a checkpoint's summary as it will be sent: inside the message that stands for it. */
export function summaryTokens(summary: string, countTokens: FallbackInput["countTokens"]): number {
  // Ids are not sent, so any one will do.
  return countTokens.message(
    summaryMessage({ id: "unstored", summary, details: { generation: 1, strategy: "summary" } }),
  );
}

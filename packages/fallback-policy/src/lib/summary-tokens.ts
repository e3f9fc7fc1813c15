import { summaryMessage } from "@holdfast/checkpoint-normalizer";
import type { FallbackInput } from "./policy.ts";

/** Tokens of a checkpoint's summary as it will be sent: inside the message that stands for it. */
export function summaryTokens(summary: string, countTokens: FallbackInput["countTokens"]): number {
  return countTokens.message(
    summaryMessage({
      id: "not-yet-stored",
      summary,
      throughMessageId: "",
      tokensBefore: 0,
      retainedTail: [],
      details: { generation: 1, strategy: "summary" },
      createdAt: "",
    }),
  );
}

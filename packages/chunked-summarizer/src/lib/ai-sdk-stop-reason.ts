import type { FinishReason } from "ai";
import type { SummaryAnswer } from "./summary-model.ts";

/**
 * How an answer ended, from the SDK's word and, where that is only "other", from the provider's own: servers that
 * speak a protocol of another provider keep their words. `error` is a generation that broke off. A word that nobody
 * knows, or none, is `other`: never an answer that ended by itself.
 */
export function stopReasonOf(
  finishReason: FinishReason,
  rawFinishReason: string | undefined,
): SummaryAnswer["stopReason"] | "error" {
  switch (finishReason) {
    case "stop":
      return "stop";
    case "length":
      return "length";
    case "tool-calls":
      return "tool";
    case "content-filter":
      return "refusal";
    case "error":
      return "error";
    case "other":
      return rawReasons.get(rawFinishReason?.toLowerCase().replaceAll(/[-_ ]/g, "") ?? "") ?? "other";
    default:
      finishReason satisfies never;
      return "other";
  }
}

/** Lower case, without what joins words. */
const rawReasons: ReadonlyMap<string, SummaryAnswer["stopReason"] | "error"> = new Map([
  ...(["stop", "eos", "eostoken", "endturn", "stopsequence", "complete", "completed"] as const).map(
    (word) => [word, "stop"] as const,
  ),
  ...(["length", "maxtokens", "maxoutputtokens", "maxlength", "modellength", "tokenlimit"] as const).map(
    (word) => [word, "length"] as const,
  ),
  ...(["toolcalls", "toolcall", "tooluse", "functioncall"] as const).map((word) => [word, "tool"] as const),
  ...(["contentfilter", "safety", "sensitive", "refusal", "recitation", "prohibitedcontent", "blocklist"] as const).map(
    (word) => [word, "refusal"] as const,
  ),
  ...(["error", "networkerror", "insufficientsystemresource", "abort", "aborted", "cancelled"] as const).map(
    (word) => [word, "error"] as const,
  ),
]);

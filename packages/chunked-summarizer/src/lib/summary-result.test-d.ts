import type { PartialSummary, SummaryFailureReason, SummaryResult, SummaryUsage } from "./summary-result.ts";

/** What a host reads of each ending, without a cast. */
export function read(result: SummaryResult): string {
  if ("aborted" in result) return String(result.requests);
  if (result.ok) {
    const usage: SummaryUsage = result.usage;
    return `${result.summary} ${usage.inputTokens} ${result.coveredThrough} ${result.files.readFiles.join()}`;
  }
  const reason: SummaryFailureReason = result.reason;
  const partial: PartialSummary | undefined = result.partial;
  // @ts-expect-error a failure has no summary
  return `${reason} ${partial?.coveredThrough} ${result.summary}`;
}

// @ts-expect-error there is no fourth reason
export const reason: SummaryFailureReason = "rate_limited";

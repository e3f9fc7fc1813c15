import { type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Compactor } from "./compactor.ts";

/**
 * One span for each compaction, on the tracer the host has set up; with none set up, the API's own no-op. Attributes are
 * counts and closed words, never text of the conversation or of a provider. Returns a function that stops tracing.
 */
export function traceCompactions(compactor: Pick<Compactor, "on">): () => void {
  let span: Span | undefined;
  const stops = [
    compactor.on("compaction_start", ({ trigger }) => {
      span = trace.getTracer("@holdfast/runtime-adapter").startSpan("holdfast.compaction", {
        attributes: { "holdfast.trigger": trigger },
      });
    }),
    compactor.on("compaction_end", (report) => {
      span?.setAttributes({
        "holdfast.outcome": report.outcome,
        "holdfast.failure_reason": report.failureReason ?? "none",
        "holdfast.policy": report.policy,
        "holdfast.generation": report.generation,
        "holdfast.tokens_before": report.tokensBefore,
        "holdfast.tokens_after": report.tokensAfter,
        "holdfast.summary_requests": report.summaryRequests,
      });
      const hasFailed = report.outcome === "failed" || report.outcome === "store_failed";
      if (hasFailed) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
      span = undefined;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    span?.end();
  };
}

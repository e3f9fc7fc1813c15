import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, expect, test } from "vitest";
import type { CompactionReport } from "./compaction-report.ts";
import { idleReport } from "./compaction-report.ts";
import { createEmitter } from "./events.ts";
import { traceCompactions } from "./trace-compactions.ts";

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
afterAll(() => trace.disable());

const plan = { kind: "impossible", trigger: "automatic", tokensBefore: 1 } as const;
const report: CompactionReport = {
  ...idleReport({ trigger: "automatic", policy: "recent-window@2", mode: "active_turn", generation: 2, tokens: 900 }),
  outcome: "fallback",
  failureReason: "summary_provider",
};

test("a host that has set tracing up gets one span for each compaction", () => {
  const emitter = createEmitter();
  const stop = traceCompactions(emitter);
  emitter.emit("compaction_start", { trigger: "automatic", plan });
  emitter.emit("compaction_end", report);
  stop();
  emitter.emit("compaction_start", { trigger: "automatic", plan });
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(["holdfast.compaction"]);
  expect(spans[0]?.attributes).toMatchObject({
    "holdfast.trigger": "automatic",
    "holdfast.outcome": "fallback",
    "holdfast.failure_reason": "summary_provider",
    "holdfast.tokens_before": 900,
  });
});

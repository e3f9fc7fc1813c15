import type { Message } from "@holdfast/message-schema";
import { askChain } from "./ask-chain.ts";
import { systemClock } from "./clock.ts";
import { appendFiles } from "./file-lists.ts";
import { layOutSummary } from "./lay-out-summary.ts";
import { PROMPT_VERSION } from "./prompts-v1.ts";
import { createSender } from "./sender.ts";
import type { SummarizeOptions } from "./summarize-options.ts";
import type { SummaryResult } from "./summary-result.ts";

const DEFAULT_SENDING_TIMEOUT_MS = 120_000;
const NOTHING_USED = { inputTokens: 0, outputTokens: 0, incomplete: false };

/**
 * Asks a model for a summary of `messages`, in as many requests as `planSummary` says, each updating the answer of the
 * one before. Comes back with a summary that passed every check, with a closed reason and what was achieved until then,
 * or with `aborted`. No text of an error ever reaches the result. Throws a `RangeError` for numbers that are not
 * positive, and whatever `onProgress` throws.
 */
export async function summarizeRange(messages: readonly Message[], options: SummarizeOptions): Promise<SummaryResult> {
  const { model, counter, reservedMarks, signal, onProgress, clock = systemClock, random = Math.random } = options;
  const { sendingTimeoutMs = DEFAULT_SENDING_TIMEOUT_MS } = options;
  if (!(sendingTimeoutMs > 0)) throw new RangeError(`sendingTimeoutMs must be positive, got ${sendingTimeoutMs}`);
  if (signal?.aborted) return { aborted: true, usage: null, requests: 0 };

  const promptVersion = PROMPT_VERSION;
  const layout = layOutSummary(messages, options);
  if (!layout.ok) return { ok: false, reason: layout.reason, usage: null, requests: 0, promptVersion };

  const sender = createSender(model, { clock, sendingTimeoutMs, signal, onProgress });
  const end = await askChain(messages, layout, { ...options, sender, clock, random });
  const { usage, requests } = sender;
  switch (end.kind) {
    case "aborted":
      return { aborted: true, usage, requests };
    case "failed":
      return {
        ok: false,
        reason: end.reason,
        usage,
        requests,
        ...(end.partial !== undefined && { partial: end.partial }),
        promptVersion,
      };
    case "summary":
      return {
        ok: true,
        summary: appendFiles(end.summary, layout.files, { counter, limits: layout.limits, reservedMarks }),
        usage: usage ?? NOTHING_USED,
        requests,
        coveredThrough: messages.at(-1)?.id ?? "",
        files: layout.files,
        promptVersion,
      };
    default:
      return end satisfies never;
  }
}

import type { Message } from "@holdfast/message-schema";
import { askLink } from "./ask-link.ts";
import { breakMarks } from "./break-marks.ts";
import { type CutRange, chooseChunks } from "./choose-chunks.ts";
import type { Clock } from "./clock.ts";
import type { Chunk } from "./cut-chunks.ts";
import { escapeFences } from "./fence.ts";
import { renderFiles } from "./file-lists.ts";
import type { SummaryLayout } from "./lay-out-summary.ts";
import { joinSegments } from "./measure-range.ts";
import { SYSTEM_PROMPT, summaryPrompt } from "./prompts-v1.ts";
import type { Sender } from "./sender.ts";
import { shortenText } from "./shorten-text.ts";
import type { SummarizeOptions } from "./summarize-options.ts";
import { MAX_LINKS, MIN_REQUEST_BUDGET } from "./summary-limits.ts";
import type { PartialSummary } from "./summary-result.ts";

/** After an overflow the rest is cut for a window that is smaller than the model said. */
const OVERFLOW_FACTOR = 0.7;

export type ChainEnd =
  | { readonly kind: "summary"; readonly summary: string }
  | {
      readonly kind: "failed";
      readonly reason: "summary_budget" | "summary_provider";
      readonly partial: PartialSummary | undefined;
    }
  | { readonly kind: "aborted" };

interface ChainOptions extends SummarizeOptions {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Asks the links in order. Each updates the summary before it; the last one is shown the list of files. */
export async function askChain(
  messages: readonly Message[],
  layout: SummaryLayout & { readonly ok: true },
  options: ChainOptions,
): Promise<ChainEnd> {
  const { counter, reservedMarks = [] } = options;
  const { limits } = layout;
  const files = renderFiles(layout.files, { counter, maxTokens: limits.fileListMax, reservedMarks });
  let { cut } = layout;
  let waiting = cut.chunks;
  let answered = 0;
  let summary = breakMarks(options.previousSummary?.toWellFormed().trim() ?? "", reservedMarks);
  let partial: PartialSummary | undefined;
  let wasReplanned = false;

  for (let chunk = waiting[0]; chunk !== undefined; chunk = waiting[0]) {
    const parts = {
      transcript: chunk.line + joinSegments(cut.range.segments, chunk.start, chunk.end),
      previousSummary: shortenText(escapeFences(summary), { counter, maxTokens: limits.summaryMax }),
      files: waiting.length === 1 ? files : "",
      instructions: options.instructions,
      maxOutputTokens: limits.maxOutputTokens,
    };
    const outcome = await askLink(
      (correction) => ({
        system: SYSTEM_PROMPT,
        prompt: summaryPrompt({ ...parts, correction }),
        maxOutputTokens: limits.maxOutputTokens,
      }),
      { ...options, place: { link: answered + 1, links: answered + waiting.length } },
    );
    switch (outcome.kind) {
      case "aborted":
        return { kind: "aborted" };
      case "failed":
        return { kind: "failed", reason: "summary_provider", partial };
      case "overflow": {
        const rest = wasReplanned ? undefined : cutRest(layout, { cut, chunk, answered, counter });
        if (rest === undefined) return { kind: "failed", reason: "summary_budget", partial };
        wasReplanned = true;
        cut = rest;
        waiting = rest.chunks;
        break;
      }
      case "summary": {
        summary = outcome.summary;
        answered += 1;
        waiting = waiting.slice(1);
        const covered = lastWholeMessage(cut, chunk);
        const coveredThrough = covered === undefined ? partial?.coveredThrough : messages[covered]?.id;
        partial = coveredThrough === undefined ? undefined : { summary, coveredThrough };
        break;
      }
      default:
        outcome satisfies never;
    }
  }
  return { kind: "summary", summary };
}

interface RestOptions {
  readonly cut: CutRange;
  /** The first chunk that nobody read. */
  readonly chunk: Chunk;
  readonly answered: number;
  readonly counter: { countText(text: string): number };
}

function cutRest(
  { limits, renderings }: SummaryLayout & { readonly ok: true },
  { cut, chunk, answered, counter }: RestOptions,
): CutRange | undefined {
  const requestBudget = Math.floor(limits.requestBudget * OVERFLOW_FACTOR);
  if (requestBudget < MIN_REQUEST_BUDGET) return undefined;
  const from = { rendering: cut.rendering, segment: chunk.start };
  return chooseChunks(renderings, { counter, requestBudget, maxChunks: MAX_LINKS - answered, from });
}

/** Index of the last message that ends in `chunk` or before it. */
function lastWholeMessage({ range }: CutRange, chunk: Chunk): number | undefined {
  return range.segments.slice(0, chunk.end).findLast((segment) => segment.endsAt !== "inside")?.message;
}

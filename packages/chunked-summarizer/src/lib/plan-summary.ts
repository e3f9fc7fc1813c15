import type { Message } from "@holdfast/message-schema";
import type { Chunk } from "./cut-chunks.ts";
import { layOutSummary } from "./lay-out-summary.ts";
import type { MeasuredRange } from "./measure-range.ts";
import { PROMPT_VERSION } from "./prompts-v1.ts";
import type { Rendering } from "./range-blocks.ts";
import type { PlanOptions } from "./summarize-options.ts";
import type { SummaryLimits } from "./summary-limits.ts";
import type { FileLists } from "./summary-result.ts";

/** One request of a summary. */
export interface SummaryLink {
  /** Tokens of the range's part in it: exact, but an upper bound where it begins or ends inside a run that nothing divides. */
  readonly tokens: number;
  /** Ids of the first and the last message it holds, or holds a part of. */
  readonly first: string;
  readonly last: string;
  /** Whether it begins, or ends, inside a message. */
  readonly startsInside: boolean;
  readonly endsInside: boolean;
}

/** What a summary of the range will ask, as JSON. */
export type SummaryPlan =
  | {
      readonly ok: true;
      readonly promptVersion: string;
      readonly rendering: Rendering;
      /** Tokens of the range in all links together. */
      readonly tokens: number;
      readonly limits: SummaryLimits;
      readonly links: readonly SummaryLink[];
      readonly files: FileLists;
    }
  | {
      readonly ok: false;
      readonly promptVersion: string;
      readonly reason: "no_new_history" | "summary_budget";
      readonly limits: SummaryLimits;
    };

/**
 * Decides, without asking anything, which requests a summary of `messages` takes: one with the full rendering, else one
 * with the reduced rendering, else at most 16 links. Empty messages, or messages with nothing to read, are
 * `no_new_history`; a range that 16 links cannot hold, or a request budget under 512 tokens, is `summary_budget`.
 * Throws a `RangeError` for a model whose numbers are not positive.
 */
export function planSummary(messages: readonly Message[], options: PlanOptions): SummaryPlan {
  const layout = layOutSummary(messages, options);
  const { limits } = layout;
  if (!layout.ok) return { ok: false, promptVersion: PROMPT_VERSION, reason: layout.reason, limits };
  const { files } = layout;
  const { rendering, range, chunks } = layout.cut;
  return {
    ok: true,
    promptVersion: PROMPT_VERSION,
    rendering,
    tokens: chunks.reduce((sum, chunk) => sum + chunk.tokens, 0),
    limits,
    links: chunks.map((chunk) => describeLink(chunk, range, messages)),
    files,
  };
}

function describeLink(chunk: Chunk, range: MeasuredRange, messages: readonly Message[]): SummaryLink {
  const segments = range.segments.slice(chunk.start, chunk.end);
  const idOf = (index: number | undefined) => messages[index ?? -1]?.id ?? "";
  return {
    tokens: chunk.tokens,
    first: idOf(segments.at(0)?.message),
    last: idOf(segments.at(-1)?.message),
    startsInside: range.segments[chunk.start - 1]?.endsAt === "inside",
    endsInside: segments.at(-1)?.endsAt === "inside",
  };
}

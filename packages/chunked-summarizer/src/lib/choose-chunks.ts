import { type Chunk, cutChunks } from "./cut-chunks.ts";
import type { MeasuredRange } from "./measure-range.ts";
import type { Rendering } from "./range-blocks.ts";

/** The renderings of one range. The reduced one is made and measured only when it is asked for. */
export interface RangeRenderings {
  readonly full: MeasuredRange;
  reduced(): MeasuredRange;
  /** Tokens of the messages that are the same in both renderings. */
  readonly sharedTokens: number;
}

/** A place in the range, as the end of an answered chunk gives it. */
export interface RangePosition {
  readonly rendering: Rendering;
  readonly segment: number;
}

export interface CutRange {
  readonly rendering: Rendering;
  readonly range: MeasuredRange;
  readonly chunks: readonly Chunk[];
}

interface ChooseOptions {
  readonly counter: { countText(text: string): number };
  readonly requestBudget: number;
  readonly maxChunks: number;
  /** Where the unread part begins: the beginning of the full rendering for a first plan. */
  readonly from: RangePosition;
}

/**
 * One request with the full rendering, else one with the reduced one; else chunks of the full rendering, else of the
 * reduced one. Chunks that end at breaks are preferred, and given up when only that makes them more than one above the
 * least number, or too many. A rendering that shows nothing of the range, as the reduced one of mere reasoning, holds
 * nothing. `undefined` when `maxChunks` hold neither.
 */
export function chooseChunks(renderings: RangeRenderings, options: ChooseOptions): CutRange | undefined {
  const { from, requestBudget, maxChunks } = options;
  const inOneRequest = (rendering: Rendering) => cutRendering(renderings, rendering, { ...options, maxChunks: 1 });
  const inChunks = (rendering: Rendering) => cutRendering(renderings, rendering, options);
  if (maxChunks < 1) return undefined;
  if (from.rendering === "reduced") return inChunks("reduced");
  const mayFitReduced = from.segment > 0 || renderings.sharedTokens <= requestBudget;
  return (
    inOneRequest("full") ??
    (mayFitReduced ? inOneRequest("reduced") : undefined) ??
    inChunks("full") ??
    inChunks("reduced")
  );
}

function cutRendering(renderings: RangeRenderings, rendering: Rendering, options: ChooseOptions): CutRange | undefined {
  const range = rendering === "full" ? renderings.full : renderings.reduced();
  const from = positionIn(rendering, renderings, options.from);
  for (const align of ["breaks", "none"] as const) {
    const chunks = cutChunks(range, { ...options, from, align });
    if (chunks !== undefined && chunks.length > 0) return { rendering, range, chunks };
  }
  return undefined;
}

/** In another rendering than the one that was being read, a message that was read in part is read again. */
function positionIn(rendering: Rendering, renderings: RangeRenderings, from: RangePosition): number {
  if (rendering === from.rendering) return from.segment;
  const message = renderings.full.segments[from.segment]?.message ?? 0;
  const first = renderings.reduced().segments.findIndex((segment) => segment.message >= message);
  return first < 0 ? renderings.reduced().segments.length : first;
}

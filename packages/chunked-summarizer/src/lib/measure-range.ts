import type { RangeBlock } from "./range-blocks.ts";
import { nextCut } from "./text-cut.ts";

/** A piece of the rendering that is never cut. The pieces joined are the rendering. */
export interface Segment {
  readonly text: string;
  readonly tokens: number;
  /** Index of the message it is a piece of. */
  readonly message: number;
  readonly endsAt: "exchange" | "message" | "inside";
  /** Whether its tokens and those of the next segment add up. */
  readonly exact: boolean;
}

export interface MeasuredRange {
  readonly segments: readonly Segment[];
  readonly tokens: number;
}

interface MeasureOptions {
  readonly counter: { countText(text: string): number };
  readonly requestBudget: number;
  /** The same messages, measured in another rendering: equal blocks are not counted again. */
  readonly known?: { readonly blocks: readonly RangeBlock[]; readonly range: MeasuredRange } | undefined;
}

/**
 * Counts the rendering once, in pieces of at most 1/64 of a request, so that no later step has to count to know how
 * much fits. A run of characters without an exact cut stays one piece up to 1,024 characters.
 */
export function measureRange(blocks: readonly RangeBlock[], options: MeasureOptions): MeasuredRange {
  const { counter, requestBudget, known } = options;
  const size = Math.max(32, Math.floor(requestBudget / 64));
  const maxSize = Math.max(size, Math.min(1024, Math.floor(requestBudget / 4)));
  const knownSegments = known === undefined ? [] : segmentsByMessage(known.range.segments, blocks.length);
  const segments: Segment[] = [];
  blocks.forEach((block, message) => {
    if (known?.blocks[message]?.text === block.text) {
      segments.push(...(knownSegments[message] ?? []));
      return;
    }
    for (let start = 0; start < block.text.length; ) {
      const cut = nextCut(block.text, start, { size, maxSize });
      const text = block.text.slice(start, cut.end);
      const isLast = cut.end === block.text.length;
      segments.push({
        text,
        tokens: counter.countText(text),
        message,
        endsAt: isLast ? block.breakAfter : "inside",
        exact: cut.exact,
      });
      start = cut.end;
    }
  });
  return { segments, tokens: segments.reduce((sum, segment) => sum + segment.tokens, 0) };
}

function segmentsByMessage(segments: readonly Segment[], messages: number): Segment[][] {
  const byMessage: Segment[][] = Array.from({ length: messages }, () => []);
  for (const segment of segments) byMessage[segment.message]?.push(segment);
  return byMessage;
}

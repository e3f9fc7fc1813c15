import type { RangeBlock } from "./range-blocks.ts";
import { nextCut } from "./text-cut.ts";

/** A piece of the rendering that is never cut. The pieces joined are the rendering. */
export interface Segment {
  readonly text: string;
  readonly tokens: number;
  /** Index of the message it is a piece of. */
  readonly message: number;
  readonly endsAt: "exchange" | "message" | "inside";
  /** Whether its message stands in an older interval. */
  readonly isOlder: boolean;
  /** Pieces before it that come from one stretch with it, which was counted whole. 0 for a stretch that is one piece. */
  readonly piecesBefore: number;
  /** Whether its stretch ends with it. */
  readonly endsStretch: boolean;
  /** On the last piece of a stretch: by how much the tokens of its pieces are above those of the whole. */
  readonly surplus: number;
}

export interface MeasuredRange {
  readonly segments: readonly Segment[];
}

interface MeasureOptions {
  readonly counter: { countText(text: string): number };
  readonly requestBudget: number;
  /** The same messages, measured in another rendering: equal blocks are not counted again. */
  readonly known?: { readonly blocks: readonly RangeBlock[]; readonly range: MeasuredRange } | undefined;
}

/** Longest run of characters without an exact cut that is counted in one piece: counters may be slow on longer ones. */
const MAX_RUN_CHARACTERS = 4096;

/**
 * Counts the rendering in stretches of about 1/64 of a request, by its characters, so that it is known from their sums
 * how much fits. A stretch that is more than 1/64 by its tokens, since its text is dense or a run that nothing
 * divides, is cut into pieces of that size which are counted once more: no character is counted a third time.
 */
export function measureRange(blocks: readonly RangeBlock[], options: MeasureOptions): MeasuredRange {
  const { counter, requestBudget, known } = options;
  const size = Math.max(32, Math.floor(requestBudget / 64));
  const maxSize = Math.max(size, Math.min(MAX_RUN_CHARACTERS, Math.floor(requestBudget / 4)));
  const maxTokens = Math.max(8, Math.floor(requestBudget / 64));
  const knownSegments = known === undefined ? [] : segmentsByMessage(known.range.segments, blocks.length);
  const segments: Segment[] = [];
  for (const [message, block] of blocks.entries()) {
    if (known?.blocks[message]?.text === block.text) {
      segments.push(...(knownSegments[message] ?? []));
      continue;
    }
    for (let start = 0; start < block.text.length; ) {
      const { end } = nextCut(block.text, start, { size, maxSize });
      const text = block.text.slice(start, end);
      const tokens = counter.countText(text);
      const endsAt = end === block.text.length ? block.breakAfter : "inside";
      const whole: Segment = {
        text,
        tokens,
        message,
        endsAt,
        isOlder: block.isOlder,
        piecesBefore: 0,
        endsStretch: true,
        surplus: 0,
      };
      if (tokens > maxTokens) segments.push(...piecesOf(whole, { counter, maxTokens }));
      else segments.push(whole);
      start = end;
    }
  }
  return { segments };
}

function piecesOf(
  whole: Segment,
  { counter, maxTokens }: { readonly counter: MeasureOptions["counter"]; readonly maxTokens: number },
): readonly Segment[] {
  const { text, tokens } = whole;
  const size = Math.max(1, Math.floor((text.length * maxTokens) / tokens));
  const texts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const { end } = nextCut(text, start, { size, maxSize: size });
    texts.push(text.slice(start, end));
    start = end;
  }
  if (texts.length === 1) return [whole];
  const counts = texts.map((piece) => counter.countText(piece));
  const surplus = counts.reduce((sum, count) => sum + count, 0) - tokens;
  return texts.map((piece, index) => {
    const endsStretch = index === texts.length - 1;
    return {
      ...whole,
      text: piece,
      tokens: counts[index] ?? 0,
      endsAt: endsStretch ? whole.endsAt : "inside",
      piecesBefore: index,
      endsStretch,
      surplus: endsStretch ? surplus : 0,
    };
  });
}

/**
 * What the segment at `index` adds to the tokens of the text that begins with the segment at `start`. Where a stretch
 * is whole in it, that is exact; of one that is in it in part, the sum of its pieces is an upper bound.
 */
export function tokensAdded(segments: readonly Segment[], index: number, start: number): number {
  const segment = segments[index];
  if (segment === undefined) return 0;
  return segment.tokens - (index - segment.piecesBefore >= start ? segment.surplus : 0);
}

export function joinSegments(segments: readonly Segment[], start: number, end: number): string {
  return segments
    .slice(start, end)
    .map((segment) => segment.text)
    .join("");
}

function segmentsByMessage(segments: readonly Segment[], messages: number): Segment[][] {
  const byMessage: Segment[][] = Array.from({ length: messages }, () => []);
  for (const segment of segments) byMessage[segment.message]?.push(segment);
  return byMessage;
}

import type { MeasuredRange, Segment } from "./measure-range.ts";
import { isSpace } from "./text-cut.ts";

/** Above a chunk that begins inside an exchange. */
const CONTINUATION_LINE = "[note] What follows goes on from the part before\n";

/** What one request shows of the range. */
export interface Chunk {
  /** Above the segments: the continuation line, or nothing. */
  readonly line: string;
  /** Tokens of the line and the segments, as one text. */
  readonly tokens: number;
  /** The segments of the chunk: from `start` up to, but not with, `end`. */
  readonly start: number;
  readonly end: number;
}

interface CutOptions {
  readonly counter: { countText(text: string): number };
  readonly requestBudget: number;
  readonly maxChunks: number;
  /** The first segment to cut, 0 by default. */
  readonly from?: number | undefined;
  /** `breaks`: a chunk's end moves back to a break if at most 1/16 of the chunk stays empty. */
  readonly align: "breaks" | "none";
}

/** Cuts a range into chunks that fill the budget. `undefined` when `maxChunks` do not hold it. */
export function cutChunks(range: MeasuredRange, options: CutOptions): readonly Chunk[] | undefined {
  const { from = 0, requestBudget, maxChunks } = options;
  const { segments } = range;
  let tokensLeft = 0;
  for (let at = from; at < segments.length; at++) tokensLeft += segments[at]?.tokens ?? 0;
  if (tokensLeft > requestBudget * maxChunks) return undefined;

  const chunks: Chunk[] = [];
  for (let start = from; start < segments.length; ) {
    if (chunks.length === maxChunks) return undefined;
    const chunk = nextChunk(range, start, options);
    chunks.push(chunk);
    start = chunk.end;
  }
  return chunks;
}

function nextChunk(range: MeasuredRange, start: number, { counter, requestBudget, align }: CutOptions): Chunk {
  const { segments } = range;
  const line = lineAbove(segments, start);
  const room = requestBudget - (line === "" ? 0 : counter.countText(line));
  const filled = filledEnd(segments, start, room);
  const isLast = filled === segments.length;
  let end = (align === "none" || isLast ? undefined : breakBefore(segments, start, filled, requestBudget)) ?? filled;
  // The sum that filled the chunk is exact but for a run that had to be cut.
  let tokens = range.tokensBetween(start, end);
  while (tokens > room && end > start + 1) {
    end -= 1;
    tokens = range.tokensBetween(start, end);
  }
  return { line, tokens: tokens + requestBudget - room, start, end };
}

/** Chosen so that what follows keeps its tokens: see `nextCut`. */
function lineAbove(segments: readonly Segment[], start: number): string {
  const before = segments[start - 1];
  const first = segments[start];
  if (first === undefined || before === undefined || before.endsAt === "exchange") return "";
  return isSpace(first.text, 0) ? `${CONTINUATION_LINE}…` : CONTINUATION_LINE;
}

/** A segment is never larger than a chunk, so at least one fits. */
function filledEnd(segments: readonly Segment[], start: number, room: number): number {
  let tokens = 0;
  let end = start;
  for (; end < segments.length; end++) {
    tokens += segments[end]?.tokens ?? 0;
    if (tokens > room) break;
  }
  return Math.max(end, start + 1);
}

/** The last break between exchanges, else between messages, that leaves at most 1/16 of the chunk empty. */
function breakBefore(
  segments: readonly Segment[],
  start: number,
  end: number,
  requestBudget: number,
): number | undefined {
  const least = (requestBudget * 15) / 16;
  let tokens = 0;
  let exchangeBreak: number | undefined;
  let messageBreak: number | undefined;
  for (let at = start; at < end; at++) {
    const segment = segments[at];
    if (segment === undefined) break;
    tokens += segment.tokens;
    if (tokens < least || segment.endsAt === "inside") continue;
    messageBreak = at + 1;
    if (segment.endsAt === "exchange") exchangeBreak = at + 1;
  }
  return exchangeBreak ?? messageBreak;
}

import { type MeasuredRange, type Segment, tokensAdded } from "./measure-range.ts";
import { GAP_LINE } from "./range-blocks.ts";
import { isSpace } from "./text-cut.ts";

/** Above a chunk that begins inside an older interval. */
const OLDER_LINE = "[note] What follows is older: an earlier summary left it out\n";
/** Above a chunk that begins inside an exchange. */
const CONTINUATION_LINE = "[note] What follows goes on from the part before\n";
/** In front of a bracket from the middle of a line: at the beginning of one it could pose as a header. */
const INSIDE_LINE = "[note] What follows goes on from the middle of a line";

/** What one request shows of the range. */
export interface Chunk {
  /** Above the segments: a line that says where the chunk begins, or nothing. */
  readonly line: string;
  /** Tokens of the line and the segments as one text: at most so many where a run that nothing divides is cut. */
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
  const { from = 0, requestBudget, align } = options;
  const { segments } = range;
  let tokensLeft = 0;
  for (let at = from; at < segments.length; at++) tokensLeft += tokensAdded(segments, at, from);
  const leastChunks = Math.ceil(tokensLeft / requestBudget);
  if (leastChunks > options.maxChunks) return undefined;
  // What stays empty for the sake of breaks may cost one request in all.
  const maxChunks = align === "breaks" ? Math.min(options.maxChunks, leastChunks + 1) : options.maxChunks;

  const chunks: Chunk[] = [];
  for (let start = from; start < segments.length; ) {
    if (chunks.length === maxChunks) return undefined;
    const chunk = nextChunk(segments, start, options);
    chunks.push(chunk);
    start = chunk.end;
  }
  return chunks;
}

function nextChunk(segments: readonly Segment[], start: number, { counter, requestBudget, align }: CutOptions): Chunk {
  const line = lineAbove(segments, start);
  const lineTokens = line === "" ? 0 : counter.countText(line);
  const filled = filledEnd(segments, start, requestBudget - lineTokens);
  const isLast = filled === segments.length;
  const end = (align === "none" || isLast ? undefined : breakBefore(segments, start, filled, requestBudget)) ?? filled;
  let tokens = lineTokens;
  for (let at = start; at < end; at++) tokens += tokensAdded(segments, at, start);
  return { line, tokens, start, end };
}

/** Chosen so that what follows keeps its tokens: see `nextCut`. */
function lineAbove(segments: readonly Segment[], start: number): string {
  const before = segments[start - 1];
  const first = segments[start];
  if (first === undefined || before === undefined) return "";
  // No text from outside begins like the line that marks an interval's beginning: it is escaped.
  const older = first.isOlder && !first.text.startsWith(GAP_LINE) ? OLDER_LINE : "";
  if (before.endsAt === "exchange") return older;
  if (beginsInsideLine(before, first)) return older + INSIDE_LINE;
  return older + CONTINUATION_LINE + (isSpace(first.text, 0) ? "…" : "");
}

function beginsInsideLine(before: Segment, first: Segment): boolean {
  return before.endsAt === "inside" && !before.text.endsWith("\n") && /^\p{Cf}*\[/u.test(first.text);
}

/** A segment is never larger than a chunk, so at least one fits. */
function filledEnd(segments: readonly Segment[], start: number, room: number): number {
  let tokens = 0;
  let end = start;
  for (let at = start; at < segments.length; at++) {
    tokens += tokensAdded(segments, at, start);
    if (tokens <= room) end = at + 1;
    // A stretch may fit whole though the sum of its pieces does not.
    else if (segments[at]?.endsStretch) break;
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
    tokens += tokensAdded(segments, at, start);
    if (tokens < least || segment.endsAt === "inside") continue;
    messageBreak = at + 1;
    if (segment.endsAt === "exchange") exchangeBreak = at + 1;
  }
  return exchangeBreak ?? messageBreak;
}

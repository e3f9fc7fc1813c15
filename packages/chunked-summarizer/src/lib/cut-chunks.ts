import type { Segment } from "./measure-range.ts";

/** Above a chunk that begins inside an exchange. It ends in a letter, so that what follows keeps its tokens. */
export const CONTINUATION_LINE = "[note] This exchange began in the part before and goes on here\n";

/** What one request shows of the range. */
export interface Chunk {
  /** Ready to be fenced: the continuation line, where there is one, and the segments. */
  readonly text: string;
  /** Tokens of `text`. */
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

/** Cuts the segments into chunks that fill the budget. `undefined` when `maxChunks` do not hold them. */
export function cutChunks(segments: readonly Segment[], options: CutOptions): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let start = options.from ?? 0; start < segments.length; ) {
    if (chunks.length === options.maxChunks) return undefined;
    const chunk = nextChunk(segments, start, options);
    if (chunk.end === start) return undefined;
    chunks.push(chunk);
    start = chunk.end;
  }
  return chunks;
}

function nextChunk(segments: readonly Segment[], start: number, options: CutOptions): Chunk {
  const { counter, requestBudget } = options;
  const before = segments[start - 1];
  const line = before === undefined || before.endsAt === "exchange" ? "" : CONTINUATION_LINE;
  const lineTokens = line === "" ? 0 : counter.countText(line);
  let end = filledEnd(segments, start, requestBudget - lineTokens);
  if (options.align === "breaks" && end < segments.length)
    end = breakBefore(segments, start, end, requestBudget) ?? end;
  for (; end > start; end--) {
    const part = segments.slice(start, end);
    const text = line + part.map((segment) => segment.text).join("");
    const isExact = part.every((segment, index) => segment.exact || index === part.length - 1);
    const tokens = isExact
      ? lineTokens + part.reduce((sum, segment) => sum + segment.tokens, 0)
      : counter.countText(text);
    if (tokens <= requestBudget) return { text, tokens, start, end };
  }
  return { text: "", tokens: 0, start, end: start };
}

function filledEnd(segments: readonly Segment[], start: number, room: number): number {
  let tokens = 0;
  let end = start;
  for (; end < segments.length; end++) {
    tokens += segments[end]?.tokens ?? 0;
    if (tokens > room) break;
  }
  return end;
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

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
  /** Tokens of the segments from `start` up to, but not with, `end`, as one text. */
  tokensBetween(start: number, end: number): number;
}

interface MeasureOptions {
  readonly counter: { countText(text: string): number };
  readonly requestBudget: number;
  /** The same messages, measured in another rendering: equal blocks are not counted again. */
  readonly known?: { readonly blocks: readonly RangeBlock[]; readonly range: MeasuredRange } | undefined;
}

/** Longest run of characters without an exact cut that is counted in one piece. */
const MAX_RUN_CHARACTERS = 1024;

/**
 * Counts the rendering once, in pieces of about 1/64 of a request, so that it is known from their sums how much fits.
 * Only a run that is cut where tokens do not add up is counted once more, joined again as far as one request holds it.
 */
export function measureRange(blocks: readonly RangeBlock[], options: MeasureOptions): MeasuredRange {
  const { counter, requestBudget, known } = options;
  const size = Math.max(32, Math.floor(requestBudget / 64));
  const maxSize = Math.max(size, Math.min(MAX_RUN_CHARACTERS, Math.floor(requestBudget / 4)));
  const knownSegments = known === undefined ? [] : segmentsByMessage(known.range.segments, blocks.length);
  const segments: Segment[] = [];
  for (const [message, block] of blocks.entries()) {
    if (known?.blocks[message]?.text === block.text) {
      segments.push(...(knownSegments[message] ?? []));
      continue;
    }
    for (let start = 0; start < block.text.length; ) {
      const { end, exact } = nextCut(block.text, start, { size, maxSize });
      const text = block.text.slice(start, end);
      const endsAt = end === block.text.length ? block.breakAfter : "inside";
      segments.push({ text, tokens: counter.countText(text), message, endsAt, exact });
      start = end;
    }
  }
  return { segments, tokensBetween: createTokenSums(segments, counter) };
}

function createTokenSums(segments: readonly Segment[], counter: MeasureOptions["counter"]) {
  const joinedRuns = new Map<string, number>();

  function tokensOfRun(start: number, end: number): number {
    const key = `${start}-${end}`;
    let tokens = joinedRuns.get(key);
    if (tokens === undefined) {
      tokens = counter.countText(joinSegments(segments, start, end));
      joinedRuns.set(key, tokens);
    }
    return tokens;
  }

  return (start: number, end: number): number => sumOfRuns(segments, { start, end, tokensOfRun });
}

interface RunsToSum {
  readonly start: number;
  readonly end: number;
  tokensOfRun(start: number, end: number): number;
}

function sumOfRuns(segments: readonly Segment[], { start, end, tokensOfRun }: RunsToSum): number {
  let tokens = 0;
  for (let runStart = start, at = start; at < end; at++) {
    const segment = segments[at];
    if (segment === undefined) break;
    if (!segment.exact && at < end - 1) continue;
    tokens += at === runStart ? segment.tokens : tokensOfRun(runStart, at + 1);
    runStart = at + 1;
  }
  return tokens;
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

import { type Message, renderMessage } from "@holdfast/message-schema";
import { escapeFences } from "./fence.ts";
import type { MessageInterval } from "./summarize-options.ts";

/** How much of the range a request shows: results up to 2,000 characters and reasoning, or 500 and none. */
export type Rendering = "full" | "reduced";

const renderOptions = {
  full: { resultMaxCharacters: 2000, includeThinking: true },
  reduced: { resultMaxCharacters: 500, includeThinking: false },
} as const;

/** Above the first message of an older interval. */
export const GAP_LINE = "[note] The messages from here on are older: an earlier summary left them out.\n\n";
const GAP_END_LINE = "[note] Here the older messages end.\n\n";

/** One message as it is sent, and what kind of break follows it. */
export interface RangeBlock {
  /** Ends with a blank line, begins with a bracket, so that blocks join without changing each other's tokens. */
  readonly text: string;
  /** Whether the next message begins something new, or answers a call of this exchange. */
  readonly breakAfter: "exchange" | "message";
  /** Whether the message stands in an older interval. */
  readonly isOlder: boolean;
}

/**
 * The range as text, a block for each message, empty where there is nothing to read. This is the one rendering: it is
 * measured, cut and sent.
 */
export function rangeBlocks(
  messages: readonly Message[],
  { rendering, intervals = [] }: { readonly rendering: Rendering; readonly intervals?: readonly MessageInterval[] },
): readonly RangeBlock[] {
  const marks = intervalMarks(messages, intervals);
  const breaks = breaksAfter(messages);
  const blocks: RangeBlock[] = [];
  let pendingLine = "";
  let isOlder = false;
  for (const [index, message] of messages.entries()) {
    if (marks.starts.has(index)) {
      pendingLine = GAP_LINE;
      isOlder = true;
    }
    const rendered = renderMessage(message, renderOptions[rendering]);
    // Joined, not added: engines keep a sum as a tree of its parts, and every look at its characters takes longer.
    const text = rendered === "" ? "" : escapeFences([pendingLine, rendered, "\n\n"].join(""));
    blocks.push({ text, breakAfter: breaks[index] ?? "exchange", isOlder });
    if (rendered !== "") pendingLine = "";
    if (marks.ends.has(index)) {
      pendingLine = pendingLine === GAP_LINE ? "" : GAP_END_LINE;
      isOlder = false;
    }
  }
  return blocks;
}

interface IntervalMarks {
  readonly starts: ReadonlySet<number>;
  readonly ends: ReadonlySet<number>;
}

const noMarks: IntervalMarks = { starts: new Set(), ends: new Set() };

/** Indexes at which intervals start and end. One with an end that is not in the range, or not in order, marks nothing. */
function intervalMarks(messages: readonly Message[], intervals: readonly MessageInterval[]): IntervalMarks {
  if (intervals.length === 0) return noMarks;
  const starts = new Set<number>();
  const ends = new Set<number>();
  const places = new Map(messages.map(({ id }, index) => [id, index]));
  for (const interval of intervals) {
    const from = places.get(interval.from);
    const through = places.get(interval.through);
    if (from === undefined || through === undefined || from > through) continue;
    starts.add(from);
    ends.add(through);
  }
  return { starts, ends };
}

/** Whether both renderings show a message alike: it is no result and has no reasoning. */
export function isSameInBoth(message: Message | undefined): boolean {
  if (message?.role !== "assistant") return message?.role !== "toolResult";
  return message.content.every((part) => part.type !== "thinking");
}

/** An exchange goes on as long as a result still comes before the next assistant message. */
function breaksAfter(messages: readonly Message[]): readonly RangeBlock["breakAfter"][] {
  const breaks: RangeBlock["breakAfter"][] = [];
  let resultComes = false;
  for (const message of messages.toReversed()) {
    breaks.push(resultComes ? "message" : "exchange");
    if (message.role === "toolResult") resultComes = true;
    else if (message.role === "assistant") resultComes = false;
  }
  return breaks.reverse();
}

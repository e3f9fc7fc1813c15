import { type Message, shape } from "@holdfast/message-schema";
import { carriedSummary } from "./carried-summary.ts";
import type { Checkpoint, CheckpointDetails, UncoveredInterval } from "./checkpoint.ts";
import { mergeFileLists } from "./file-lists.ts";
import { importedBoundary } from "./imported-boundary.ts";
import type { ImportedCompaction, ImportOptions, ImportSource } from "./imported-compaction.ts";
import { mergeIntervals } from "./interval-arithmetic.ts";
import type { ParsedCheckpoint } from "./parse-checkpoint.ts";
import { RECOVERY_NOTICE_END, RECOVERY_NOTICE_START } from "./recovery-notice.ts";
import { boundaryIndexOf, firstIndexBehind } from "./transcript-range.ts";
import { windowRange } from "./window-range.ts";

/** Stands in a tool result that the tool had cleared for the model. */
const CLEARED_RESULT_TEXT = "[the output of this call was removed from the context]";

/**
 * A checkpoint that sends what the other tool went on sending. The boundary is the message before the first kept one,
 * moved back when it would part a call from its result, with an empty tail. A summary that cannot be read stays `null`
 * with what stood there in `opaque`; then the running request is kept, since nothing else names the task, and the
 * stretch counts as unread, so that the next summary reads it. Cleared tool outputs become a window with these outputs
 * replaced. Not converted, with a diagnostic: a record with nothing before it, one whose replaced messages are not
 * the beginning of the conversation, one with a blank summary.
 */
export function checkpointFromCompaction(
  record: ImportedCompaction,
  conversation: ImportSource,
  options: ImportOptions = {},
): ParsedCheckpoint {
  const id = `imported:${conversation.id}:${record.at}`;
  const boundary = importedBoundary(record, conversation.messages);
  if (!boundary.ok) return notConverted(id, boundary.why);
  if (record.summary?.trim() === "" && record.replaces !== "tool-outputs")
    return notConverted(id, "its summary is blank");

  const { messages } = conversation;
  const { index } = boundary;
  const throughMessage = messages[index];
  if (throughMessage === undefined) return notConverted(id, "nothing lies before it");
  const meaning = meaningOf(record, messages, index, options.previous);
  const stamp = throughMessage.timestamp ?? 0;
  const checkpoint: Checkpoint = {
    id,
    summary: meaning.summary,
    ...(record.opaque === undefined ? {} : { opaque: record.opaque }),
    throughMessageId: throughMessage.id,
    tokensBefore: record.tokensBefore ?? 0,
    retainedTail: meaning.retainedTail,
    details: {
      generation: (options.previous?.details.generation ?? 0) + 1,
      ...mergeFileLists(options.previous?.details, {
        readFiles: record.files?.read ?? [],
        modifiedFiles: record.files?.modified ?? [],
      }),
      ...meaning.details,
      imported: {
        replaces: record.replaces,
        ...(record.trigger === undefined ? {} : { trigger: record.trigger }),
        ...(record.tokensAfter === undefined ? {} : { tokensAfter: record.tokensAfter }),
      },
    },
    createdAt: new Date(Math.abs(stamp) <= 8.64e15 ? stamp : 0).toISOString(),
  };
  return { ok: true, checkpoint, diagnostics: [] };
}

type Meaning = Pick<Checkpoint, "summary" | "retainedTail"> & { readonly details: Partial<CheckpointDetails> };

function meaningOf(
  record: ImportedCompaction,
  messages: readonly Message[],
  index: number,
  previous: Checkpoint | undefined,
): Meaning {
  const olderGaps = previous?.details.uncovered ?? [];
  if (record.replaces === "tool-outputs") {
    const cleared = new Set(record.toolCallIds);
    const window = windowRange({ transcript: messages, checkpoint: previous, boundaryIndex: index });
    const notice = `${RECOVERY_NOTICE_START}\nThe outputs of some older tool calls were removed from this conversation.\n${RECOVERY_NOTICE_END}`;
    const carried = carriedSummary(previous);
    return {
      summary: carried === undefined ? notice : `${carried}\n\n${notice}`,
      retainedTail: window.map((message) => withClearedOutput(message, cleared)),
      details: {
        retainedTailShape: "recent_window",
        uncovered: withStretch(olderGaps, messages, index, previous),
      },
    };
  }
  if (record.summary !== null) {
    return { summary: record.summary, retainedTail: [], details: { strategy: "summary", uncovered: olderGaps } };
  }
  const carried = carriedSummary(previous);
  const isCompleted = isCompletedTurn(messages, index);
  const request = isCompleted ? undefined : messages.slice(0, index + 1).findLast(shape.isRequest);
  return {
    summary: null,
    retainedTail: request === undefined ? [] : [request],
    details: {
      strategy: "summary",
      retainedTailMode: isCompleted ? "completed_turn" : "active_turn",
      // What was readable before is the newest summary there is.
      ...(carried === undefined ? {} : { carriedSummary: carried }),
      uncovered: withStretch(olderGaps, messages, index, previous),
    },
  };
}

/** The gaps that were there and all that the record hides: no summary that can be read has it. */
function withStretch(
  olderGaps: readonly UncoveredInterval[],
  messages: readonly Message[],
  index: number,
  previous: Checkpoint | undefined,
): UncoveredInterval[] {
  const previousIndex = boundaryIndexOf({ transcript: messages, checkpoint: previous });
  const first = messages[firstIndexBehind(previousIndex, messages)];
  const last = messages[index];
  const hasStretch = first !== undefined && last !== undefined && previousIndex < index;
  return mergeIntervals(hasStretch ? [...olderGaps, { from: first.id, through: last.id }] : olderGaps, messages);
}

/** Whether the boundary stands at the end of a turn: a closing answer before it, the user's next request behind it. */
function isCompletedTurn(messages: readonly Message[], index: number): boolean {
  const [last, next] = [messages[index], messages[index + 1]];
  if (last?.role !== "assistant") return false;
  const isClosing = !last.content.some((part) => part.type === "toolCall") || shape.isDiscarded(last);
  return isClosing && (next === undefined || shape.isRequest(next));
}

function withClearedOutput(message: Message, cleared: ReadonlySet<string>): Message {
  if (message.role !== "toolResult" || !cleared.has(message.toolCallId)) return message;
  return { ...message, content: [{ type: "text", text: CLEARED_RESULT_TEXT }] };
}

function notConverted(checkpointId: string, why: string): ParsedCheckpoint {
  return {
    ok: false,
    diagnostics: [{ code: "not_converted", checkpointId, message: `no checkpoint is made: ${why}` }],
  };
}

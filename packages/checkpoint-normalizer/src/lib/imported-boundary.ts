import { type Message, shape } from "@holdfast/message-schema";
import type { ImportedCompaction } from "./imported-compaction.ts";
import { firstIndexBehind } from "./transcript-range.ts";

export type ImportedBoundary =
  | { readonly ok: true; readonly index: number }
  | { readonly ok: false; readonly why: string };

/** Position of the last message that an imported record stands for. */
export function importedBoundary(record: ImportedCompaction, messages: readonly Message[]): ImportedBoundary {
  const firstKept = firstKeptIndex(record, messages);
  if (firstKept === undefined)
    return { ok: false, why: "the messages it replaced are not the beginning of the conversation" };
  const isPosition = Number.isInteger(firstKept) && firstKept >= 0 && firstKept <= messages.length;
  if (!isPosition) return { ok: false, why: `its position ${firstKept} is not in the conversation` };
  const index = beforeOpenExchange(firstKept, messages) - 1;
  if (index < firstIndexBehind(-1, messages)) return { ok: false, why: "nothing lies before it" };
  return { ok: true, index };
}

function firstKeptIndex(record: ImportedCompaction, messages: readonly Message[]): number | undefined {
  if (record.replacedMessageIds !== undefined) {
    const first = firstIndexBehind(-1, messages);
    const replaced = messages.slice(first, first + record.replacedMessageIds.length);
    const isPrefix =
      replaced.length === record.replacedMessageIds.length &&
      replaced.every(({ id }, position) => id === record.replacedMessageIds?.[position]);
    return isPrefix ? first + replaced.length : undefined;
  }
  return record.replaces === "prefix" ? (record.keptFrom ?? record.at) : record.at;
}

/** A record may stand between a call and its result: then the exchange stays whole, behind the boundary. */
function beforeOpenExchange(firstKept: number, messages: readonly Message[]): number {
  const newest = messages.slice(0, firstKept).findLastIndex(isLiveAnswer);
  const open = newest < 0 ? [] : callIdsOf(messages[newest]);
  const isParted = open.some((id) => {
    const answer = messages.findIndex((message, index) => index > newest && answers(message, id));
    const repeated = messages.findIndex((message, index) => index > newest && callIdsOf(message).includes(id));
    // An id may be used again later: then the later answer belongs to the later call.
    return answer >= firstKept && (repeated < 0 || answer < repeated);
  });
  return isParted ? newest : firstKept;
}

function isLiveAnswer(message: Message): boolean {
  return message.role === "assistant" && !shape.isDiscarded(message);
}

function answers(message: Message, callId: string): boolean {
  return shape.toolResultIds(message).includes(callId);
}

function callIdsOf(message: Message | undefined): readonly string[] {
  return message === undefined ? [] : shape.toolCallIds(message);
}

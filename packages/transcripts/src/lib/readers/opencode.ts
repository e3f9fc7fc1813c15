import { createConversationBuilder } from "../conversation-builder.ts";
import { amount, isObject, list, nonEmpty, property } from "../json-value.ts";
import type { CompactionRecord } from "../transcript-file.ts";
import type { DocumentReader, ReadReport } from "../transcript-reader.ts";
import { addOpencodeMessage, type ToolPart } from "./opencode-message.ts";

/**
 * Exports of opencode: `{ info, messages: [{ info, parts }] }`. A `tool` part holds a call and its result, which are told
 * apart here; ids may be redacted, so the part itself says which result belongs to which call.
 */
export const opencode: DocumentReader = {
  format: "opencode",
  layout: "document",
  refuse(document) {
    const messages = property(document, "messages");
    if (!isObject(property(document, "info")) || !Array.isArray(messages)) {
      return "no info object beside a messages list";
    }
    return messages.every((message) => isObject(property(message, "info")) && Array.isArray(property(message, "parts")))
      ? undefined
      : "messages without info and parts";
  },
  read(document, report) {
    const info = property(document, "info");
    const messages = beforeRevert(list(property(document, "messages")), property(info, "revert"), report);
    const builder = createConversationBuilder();
    const progress: Progress[] = [];
    const tools: ToolPart[] = [];
    messages.forEach((message, ordinal) => {
      for (const tool of addOpencodeMessage(builder, message, ordinal, report)) tools.push(tool);
      const created = amount(property(property(property(message, "info"), "time"), "created"));
      if (created !== undefined) advance(progress, { created, length: builder.length });
    });
    for (const pruning of prunings(tools, progress)) builder.compaction(pruning);
    const conversation = builder.finish(nonEmpty(property(info, "id")) ?? "session");
    return [{ ...conversation, compactions: conversation.compactions.toSorted((a, b) => a.at - b.at) }];
  },
};

/**
 * A session that was taken back to a message, or to a part of one: that and what followed are hidden and go with the
 * next prompt.
 */
function beforeRevert(messages: readonly unknown[], revert: unknown, report: ReadReport): readonly unknown[] {
  const id = nonEmpty(property(revert, "messageID"));
  const end = messages.findIndex((message) => id !== undefined && property(property(message, "info"), "id") === id);
  if (end === -1) return messages;
  const kept = [...messages.slice(0, end), ...beforePart(messages[end], nonEmpty(property(revert, "partID")))];
  report.note({
    problem: `${messages.length - kept.length} messages after the point the user went back to`,
    action: "left out",
  });
  return kept;
}

/** The message with its parts before that one, if there are any. */
function beforePart(message: unknown, partId: string | undefined): readonly unknown[] {
  const parts = list(property(message, "parts"));
  const end = parts.findIndex((part) => partId !== undefined && property(part, "id") === partId);
  return isObject(message) && end > 0 ? [{ ...message, parts: parts.slice(0, end) }] : [];
}

/** When a message was begun, and how many messages of the conversation there were after it. */
interface Progress {
  readonly created: number;
  readonly length: number;
}

/** Keeps the times rising: a message that was begun before others of the list takes their place. */
function advance(progress: Progress[], next: Progress): void {
  while ((progress.at(-1)?.created ?? -1) >= next.created) progress.pop();
  progress.push(next);
}

/** The length after the newest message that was begun by then. */
function lengthAt(progress: readonly Progress[], time: number): number {
  let start = 0;
  let end = progress.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((progress[middle]?.created ?? 0) <= time) start = middle + 1;
    else end = middle;
  }
  return progress[start - 1]?.length ?? 0;
}

/** Outputs that were cleared for the model while one message was the newest are one pruning. */
function prunings(tools: readonly ToolPart[], progress: readonly Progress[]): readonly CompactionRecord[] {
  const callIdsAt = new Map<number, string[]>();
  for (const { callId, prunedAt } of tools) {
    if (prunedAt === undefined) continue;
    const at = lengthAt(progress, prunedAt);
    const callIds = callIdsAt.get(at);
    if (callIds) callIds.push(callId);
    else callIdsAt.set(at, [callId]);
  }
  return [...callIdsAt].map(([at, toolCallIds]) => ({ at, summary: null, replaces: "tool-outputs", toolCallIds }));
}

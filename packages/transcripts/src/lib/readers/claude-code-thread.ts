import {
  anthropicStopReason,
  assistantParts,
  type ResultBlock,
  splitUserContent,
  type UserBlocks,
} from "../anthropic-content.ts";
import type { CallLedger } from "../call-ledger.ts";
import { createConversationBuilder, type MessageDraft } from "../conversation-builder.ts";
import { amount, isObject, type JsonObject, list, moment, nonEmpty, property, texts } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import { anthropicUsage } from "../token-usage.ts";
import type { CompactionRecord, Conversation } from "../transcript-file.ts";
import type { LineRecord, ReadReport } from "../transcript-reader.ts";
import { isInjectedContent } from "./claude-code-injected.ts";
import { rewoundUuids } from "./claude-code-rewind.ts";

/** One thread of a session, main or sub-agent, fed with its lines in file order. */
export interface ClaudeThread {
  user(record: JsonObject, line: LineRecord): void;
  assistant(record: JsonObject, line: LineRecord): void;
  /** A line that is no message: it may mark a compaction, and others may hang on it. */
  aside(record: JsonObject): void;
  finish(id: string): Conversation;
}

/** A line of the thread that says something, or the place of a compaction. Of the line only that is held. */
interface Slot {
  readonly uuid: string | undefined;
  readonly ordinal: number;
  readonly timestamp?: number | undefined;
  readonly assistant?: AssistantSlot;
  readonly user?: { readonly pieces: readonly (ResultBlock | UserBlocks)[]; readonly isRequest: boolean };
  readonly compaction?: Omit<CompactionRecord, "at">;
}

/** An assistant message gathers the blocks of all its lines; the last line has the final usage. */
interface AssistantSlot {
  message: JsonObject;
  readonly blocks: unknown[];
  /** Of the blocks: a call that is streamed again is the same call. */
  readonly blockIds: Set<string>;
  readonly requestId: string | undefined;
  readonly end: "error" | "aborted" | undefined;
}

export function createClaudeThread(report: ReadReport): ClaudeThread {
  const slots: Slot[] = [];
  const links: { readonly uuid: string; readonly parent: string | null; readonly isRequest: boolean }[] = [];
  const seen = new Map<string, unknown>();
  /** The assistant messages since the last request, by API message id: their lines may stand apart. */
  let streaming = new Map<string, Slot>();
  let boundary: Omit<CompactionRecord, "at"> | undefined;

  /** Enters the line in the tree; false for a line that was written twice. */
  function enter(record: JsonObject, line: LineRecord, isRequest: boolean): boolean {
    const uuid = nonEmpty(record.uuid);
    if (uuid === undefined) return true;
    if (seen.has(uuid) && seen.get(uuid) === record.timestamp) {
      report.note({ line: line.line, problem: `the record ${uuid} again`, action: "joined with the first" });
      return false;
    }
    seen.set(uuid, record.timestamp);
    links.push({ uuid, parent: nonEmpty(record.parentUuid) ?? null, isRequest });
    return true;
  }

  /** A boundary whose summary did not follow: the summary is unknown. */
  function closeBoundary(): void {
    if (boundary) slots.push({ uuid: undefined, ordinal: 0, compaction: boundary });
    boundary = undefined;
  }

  return {
    user(record, line) {
      const content = property(record.message, "content");
      if (typeof content !== "string" && !Array.isArray(content)) {
        report.note({ line: line.line, problem: "a user record without content", action: "set aside" });
        return;
      }
      const pieces = splitUserContent(content);
      const isMarked = record.isMeta === true || record.isCompactSummary === true;
      const isRequest = !isMarked && pieces.some((piece) => piece.kind === "user" && !isInjectedContent(piece.content));
      if (!enter(record, line, isRequest)) return;
      if (isRequest) streaming = new Map();
      const slot: Slot = {
        uuid: nonEmpty(record.uuid),
        ordinal: line.ordinal,
        timestamp: moment(record.timestamp),
        user: { pieces, isRequest },
      };
      if (record.isCompactSummary === true) {
        slots.push(slot);
        const summary = summaryText(content);
        slots.push({ uuid: slot.uuid, ordinal: 0, compaction: { ...(boundary ?? { replaces: "prefix" }), summary } });
        boundary = undefined;
        return;
      }
      closeBoundary();
      slots.push(slot);
    },
    assistant(record, line) {
      const message = property(record, "message");
      if (!isObject(message)) {
        report.note({ line: line.line, problem: "an assistant record without a message", action: "set aside" });
        return;
      }
      if (!enter(record, line, false)) return;
      closeBoundary();
      const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
      const id = nonEmpty(message.id);
      const started = id === undefined ? undefined : streaming.get(id);
      if (started?.assistant) {
        started.assistant.message = message;
        addBlocks(started.assistant, list(blocks));
        return;
      }
      const assistant: AssistantSlot = {
        message,
        blocks: [],
        blockIds: new Set(),
        requestId: nonEmpty(record.requestId),
        end: endOf(record, message),
      };
      addBlocks(assistant, list(blocks));
      const slot = {
        uuid: nonEmpty(record.uuid),
        ordinal: line.ordinal,
        timestamp: moment(record.timestamp),
        assistant,
      };
      slots.push(slot);
      if (id !== undefined) streaming.set(id, slot);
    },
    aside(record) {
      const uuid = nonEmpty(record.uuid);
      if (uuid !== undefined) links.push({ uuid, parent: nonEmpty(record.parentUuid) ?? null, isRequest: false });
      if (record.subtype === "compact_boundary") {
        closeBoundary();
        boundary = { summary: null, replaces: "prefix", ...compactMetadata(record.compactMetadata) };
      }
      if (record.subtype === "microcompact_boundary") {
        slots.push({ uuid, ordinal: 0, compaction: microcompaction(record.microcompactMetadata) });
      }
    },
    finish(id) {
      closeBoundary();
      return assemble(id, slots, rewoundUuids(links), report);
    },
  };
}

function summaryText(content: string | readonly unknown[]): string | null {
  if (typeof content === "string") return nonEmpty(content) ?? null;
  const lines = content.flatMap((block) => nonEmpty(property(block, "text")) ?? []);
  return nonEmpty(lines.join("\n")) ?? null;
}

/** Adds the blocks of a line; those of one line are never the same, whatever ids they have. */
function addBlocks({ blocks, blockIds }: AssistantSlot, added: readonly unknown[]): void {
  const isNew = (block: unknown) => !blockIds.has(nonEmpty(property(block, "id")) ?? "");
  const kept = added.filter(isNew);
  for (const block of kept) {
    const id = nonEmpty(property(block, "id"));
    if (id !== undefined) blockIds.add(id);
    blocks.push(block);
  }
}

function compactMetadata(metadata: unknown) {
  return present({
    trigger: nonEmpty(property(metadata, "trigger")),
    tokensBefore: amount(property(metadata, "preTokens")),
  });
}

function microcompaction(metadata: unknown): Omit<CompactionRecord, "at"> {
  const before = amount(property(metadata, "preTokens"));
  const saved = amount(property(metadata, "tokensSaved"));
  return {
    summary: null,
    replaces: "tool-outputs",
    toolCallIds: texts(property(metadata, "compactedToolIds")),
    ...compactMetadata(metadata),
    ...present({ tokensAfter: before === undefined || saved === undefined ? undefined : Math.max(0, before - saved) }),
  };
}

function assemble(id: string, slots: readonly Slot[], rewound: ReadonlySet<string>, report: ReadReport): Conversation {
  const builder = createConversationBuilder();
  let gone = 0;
  for (const slot of slots) {
    if (slot.uuid !== undefined && rewound.has(slot.uuid)) {
      if (slot.user ?? slot.assistant) gone += 1;
      continue;
    }
    if (slot.assistant) builder.add(assistantDraft(slot, slot.assistant, builder.calls), slot.ordinal);
    slot.user?.pieces.forEach((piece, index) => {
      const draft = piece.kind === "result" ? resultDraft(slot, piece, builder.calls) : userDraft(slot, piece);
      builder.add(index === 0 ? draft : { ...draft, id: undefined }, slot.ordinal);
    });
    if (slot.compaction) builder.compaction({ ...slot.compaction, at: builder.length });
  }
  if (gone > 0) report.note({ problem: `${gone} records of a branch the user went back on`, action: "left out" });
  return builder.finish(id);
}

function assistantDraft(
  { uuid, timestamp }: Slot,
  { message, blocks, requestId, end }: AssistantSlot,
  calls: CallLedger,
): MessageDraft {
  const content = assistantParts(blocks, calls);
  const draft = {
    id: uuid,
    role: "assistant" as const,
    content,
    stopReason: end ?? anthropicStopReason(message.stop_reason, content),
    messageId: nonEmpty(message.id),
    requestId,
    usage: anthropicUsage(message.usage),
    model: nonEmpty(message.model),
    timestamp,
  };
  return draft;
}

/** Claude Code writes API errors and its own notices as assistant messages; no model said them. */
function endOf(record: JsonObject, message: JsonObject): "error" | "aborted" | undefined {
  if (record.isApiErrorMessage === true) return "error";
  return message.model === "<synthetic>" ? "aborted" : undefined;
}

function resultDraft({ uuid, timestamp }: Slot, piece: ResultBlock, calls: CallLedger): MessageDraft {
  const { toolCallId, toolName } = calls.answer({ id: piece.toolUseId, name: piece.name });
  const { content, isError } = piece;
  return { id: uuid, role: "toolResult", toolCallId, toolName, content, isError, timestamp };
}

/** In a line that is a request a reminder may stand beside it; both are one message then. */
function userDraft({ uuid, timestamp, user }: Slot, { content }: UserBlocks): MessageDraft {
  return user?.isRequest === true
    ? { id: uuid, role: "user", content, timestamp }
    : { id: uuid, role: "user", origin: "injected", content, timestamp };
}

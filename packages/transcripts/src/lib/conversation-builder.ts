import type { AssistantMessage, Message } from "@holdfast/message-schema";
import { type CallLedger, createCallLedger } from "./call-ledger.ts";
import { createFreeNames } from "./free-names.ts";
import type { CompactionRecord, Conversation } from "./transcript-file.ts";

/** A message whose id is what the file says, if it says any. */
export type MessageDraft = Message extends infer M
  ? M extends Message
    ? Omit<M, "id"> & { id?: unknown }
    : never
  : never;

export interface ConversationBuilder {
  /** Pairs the conversation's calls and results while they are read. */
  readonly calls: CallLedger;
  /** Messages so far: the `at` of a compaction found now. */
  readonly length: number;
  /** Takes the message in. `ordinal` is the position of its record in the file; its id is minted from it if need be. */
  add(draft: MessageDraft, ordinal: number): Message;
  /** Completes the newest assistant message with what the file says of it later. Without one nothing happens. */
  amendAssistant(fields: Partial<Pick<AssistantMessage, "usage" | "stopReason" | "model" | "provider">>): void;
  compaction(record: CompactionRecord): void;
  /** Takes back the last `count` requests of the user and all that followed the first of them; says how much that was. */
  rollBack(count: number): number;
  /** The conversation under its name in the file. */
  finish(id: string): Conversation;
}

/** The id of a message whose record, at this position in the file, has none. */
export function positionId(ordinal: number): string {
  return `#${ordinal}`;
}

/** Gathers one conversation. Ids come out unique: one that is missing or was seen before is minted from the position. */
export function createConversationBuilder(): ConversationBuilder {
  const messages: Message[] = [];
  const compactions: CompactionRecord[] = [];
  const ids = createFreeNames((id, part) => `${id}.${part}`);
  let newestAssistant = -1;

  return {
    calls: createCallLedger(),
    get length() {
      return messages.length;
    },
    add(draft, ordinal) {
      const original = typeof draft.id === "string" && draft.id !== "" ? draft.id : undefined;
      const isRepeated = original !== undefined && ids.isTaken(original);
      const id = ids.take(original === undefined || isRepeated ? positionId(ordinal) : original);
      const message = (
        draft.id === id ? draft : { ...draft, id, ...(isRepeated ? { originalId: original } : {}) }
      ) as Message;
      if (message.role === "assistant") newestAssistant = messages.length;
      messages.push(message);
      return message;
    },
    amendAssistant(fields) {
      const message = messages[newestAssistant];
      if (message?.role === "assistant") messages[newestAssistant] = { ...message, ...fields };
    },
    compaction(record) {
      compactions.push(record);
    },
    rollBack(count) {
      const requests = messages.flatMap((message, index) => (isRequest(message) ? [index] : []));
      const start = count > 0 ? (requests.at(-count) ?? requests[0]) : undefined;
      if (start === undefined) return 0;
      const gone = messages.splice(start).length;
      newestAssistant = messages.findLastIndex((message) => message.role === "assistant");
      while ((compactions.at(-1)?.at ?? 0) > start) compactions.pop();
      return gone;
    },
    finish: (id) => ({ id, messages, compactions }),
  };
}

function isRequest(message: Message): boolean {
  return message.role === "user" && message.origin !== "injected";
}

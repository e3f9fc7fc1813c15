import type { AssistantContentPart, StopReason, Usage } from "@holdfast/message-schema";
import type { ConversationBuilder, MessageDraft } from "./conversation-builder.ts";
import { present } from "./optional-fields.ts";

/** What opens an assistant message that comes in pieces. */
export interface TurnOpening {
  /** Pieces with the same key belong to one message. */
  readonly key: string;
  readonly id: unknown;
  readonly ordinal: number;
  readonly timestamp?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly model?: string | undefined;
}

/** Gathers an assistant message out of events, the results of its calls after it. */
export interface AssistantTurn {
  /** Whether the message under way has this key. */
  isUnderWay(key: string): boolean;
  /** Adds parts; another key ends the message under way first. */
  say(opening: TurnOpening, parts: readonly AssistantContentPart[]): void;
  /** Results may stand between the calls: they wait for the message to end. */
  result(draft: MessageDraft, ordinal: number): void;
  end(fields?: TurnEnd): void;
}

export interface TurnEnd {
  readonly stopReason?: StopReason | undefined;
  readonly usage?: Usage | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
}

export function createAssistantTurn(builder: ConversationBuilder): AssistantTurn {
  let opening: TurnOpening | undefined;
  let parts: AssistantContentPart[] = [];
  let results: { readonly draft: MessageDraft; readonly ordinal: number }[] = [];

  function end({ stopReason, ...fields }: TurnEnd = {}): void {
    if (opening && parts.length > 0) {
      const { key: _, ordinal, id, ...opened } = opening;
      const hasCalls = parts.some((part) => part.type === "toolCall");
      builder.add(
        {
          id,
          role: "assistant",
          content: parts,
          stopReason: stopReason ?? (hasCalls ? "toolUse" : "stop"),
          ...present({ ...opened, ...fields }),
        },
        ordinal,
      );
    }
    for (const { draft, ordinal } of results) builder.add(draft, ordinal);
    opening = undefined;
    parts = [];
    results = [];
  }

  return {
    end,
    isUnderWay: (key) => opening?.key === key,
    say(next, said) {
      if (opening && opening.key !== next.key) end();
      opening ??= next;
      for (const part of said) parts.push(part);
    },
    result(draft, ordinal) {
      if (opening) results.push({ draft, ordinal });
      else builder.add(draft, ordinal);
    },
  };
}

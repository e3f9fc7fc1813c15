import { type Checkpoint, rebuildContext } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { measureRequest, type RequestSize } from "./request-size.ts";

/** Everything a decision looks at, taken at one moment. */
export interface Snapshot {
  /** Leading system messages: sent first, part of the overhead, never compacted. */
  readonly system: readonly Message[];
  /** The whole conversation, they included: it is never copied, so that a turn costs nothing for a long history. */
  readonly transcript: readonly Message[];
  readonly checkpoint: Checkpoint | undefined;
  /** What the next request holds of it. */
  readonly context: readonly Message[];
  readonly overheadTokens: number;
  readonly size: RequestSize;
}

export interface SnapshotInput {
  readonly messages: readonly Message[];
  /** Tokens of the system prompt and the tool schemas, the leading system messages of `messages` aside. */
  readonly overheadTokens: number;
  readonly checkpoint: Checkpoint | undefined;
  readonly countMessage: (message: Message) => number;
  readonly model: { readonly providerId?: string | undefined; readonly modelId?: string | undefined };
}

export function takeSnapshot(input: SnapshotInput): Snapshot {
  const { messages, checkpoint, countMessage } = input;
  const system = messages.slice(0, leadingSystemCount(messages));
  const overheadTokens = system.reduce((sum, message) => sum + countMessage(message), input.overheadTokens);
  const context = rebuildContext({ transcript: messages, checkpoint });
  const size = measureRequest({
    transcript: messages,
    context,
    checkpoint,
    overheadTokens,
    countMessage,
    model: input.model,
  });
  return { system, transcript: messages, checkpoint, context, overheadTokens, size };
}

/** How many messages stand before the first that is no system message. */
export function leadingSystemCount(messages: readonly Message[]): number {
  const firstOther = messages.findIndex(({ role }) => role !== "system");
  return firstOther < 0 ? messages.length : firstOther;
}

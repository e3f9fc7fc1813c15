import { type Checkpoint, rebuildContext } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { measureRequest, type RequestSize } from "./request-size.ts";

/** Everything a decision looks at, taken at one moment. */
export interface Snapshot {
  /** Leading system messages: sent first, part of the overhead, never compacted. */
  readonly system: readonly Message[];
  /** The conversation without them. */
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
  const firstOther = messages.findIndex((message) => message.role !== "system");
  const systemCount = firstOther < 0 ? messages.length : firstOther;
  const system = messages.slice(0, systemCount);
  const transcript = messages.slice(systemCount);
  const overheadTokens = system.reduce((sum, message) => sum + countMessage(message), input.overheadTokens);
  const context = rebuildContext({ transcript, checkpoint });
  const size = measureRequest({ transcript, context, checkpoint, overheadTokens, countMessage, model: input.model });
  return { system, transcript, checkpoint, context, overheadTokens, size };
}

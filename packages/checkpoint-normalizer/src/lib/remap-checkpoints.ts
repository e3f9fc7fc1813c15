import type { Message } from "@holdfast/message-schema";
import type { Checkpoint } from "./checkpoint.ts";
import type { CheckpointDiagnostic } from "./checkpoint-diagnostic.ts";
import { claimedGenerations } from "./generations.ts";
import { isJsonObject, type JsonObject } from "./json-value.ts";
import { parseCheckpoint } from "./parse-checkpoint.ts";

/** Old id to new id. */
export interface ForkIdMap {
  /** Every message that the fork has, also where the id stays the same. */
  readonly messages: ReadonlyMap<string, string>;
  /** Tool-call ids that change. Default: none. */
  readonly toolCalls?: ReadonlyMap<string, string> | undefined;
}

export interface RemappedCheckpoints {
  readonly checkpoints: readonly Checkpoint[];
  readonly diagnostics: readonly CheckpointDiagnostic[];
}

/** Fields of `details` that name a message, at any of the first levels, whoever stored them. */
const messageIdField = /^(from|through)$|MessageId$/;
const detailsDepth = 8;

/**
 * The chain of a fork: the records whose boundary it includes, with the ids of its messages in boundaries, tails and
 * coverage, in the order of their generations, which are counted anew from 1. A record that cannot be read, or whose boundary lies behind the
 * fork, is left out with a diagnostic. The parent's records stay as they are. In `details` every field
 * called `from`, `through` or something ending in `MessageId` is taken for a message id.
 */
export function remapCheckpoints(chain: readonly unknown[], idMap: ForkIdMap): RemappedCheckpoints {
  const checkpoints: Checkpoint[] = [];
  const diagnostics: CheckpointDiagnostic[] = [];
  const generations = claimedGenerations(chain);
  const oldestFirst = [...chain.keys()].sort((a, b) => (generations[a] ?? 0) - (generations[b] ?? 0) || a - b);
  for (const place of oldestFirst) {
    const parsed = parseCheckpoint(chain[place]);
    diagnostics.push(...parsed.diagnostics);
    if (!parsed.ok) continue;
    const { checkpoint } = parsed;
    const throughMessageId = idMap.messages.get(checkpoint.throughMessageId);
    if (throughMessageId === undefined) {
      diagnostics.push({
        code: "boundary_gone",
        checkpointId: checkpoint.id,
        field: "throughMessageId",
        message: `the fork does not include its boundary ${checkpoint.throughMessageId}: left out`,
      });
      continue;
    }
    checkpoints.push(remapped(checkpoint, throughMessageId, idMap, checkpoints.length + 1));
  }
  return { checkpoints, diagnostics };
}

function remapped(checkpoint: Checkpoint, throughMessageId: string, idMap: ForkIdMap, generation: number): Checkpoint {
  const { firstKeptMessageId, ...rest } = checkpoint;
  const firstKept = firstKeptMessageId === undefined ? undefined : idMap.messages.get(firstKeptMessageId);
  return {
    ...rest,
    ...(firstKept === undefined ? {} : { firstKeptMessageId: firstKept }),
    throughMessageId,
    retainedTail: checkpoint.retainedTail.map((message) => ({
      ...withToolCallIds(message, idMap.toolCalls),
      id: idMap.messages.get(message.id) ?? message.id,
    })),
    details: { ...withMessageIds(checkpoint.details, idMap.messages, detailsDepth), generation },
  };
}

function withMessageIds(found: JsonObject, ids: ReadonlyMap<string, string>, depth: number): JsonObject {
  const renamed = (field: string, value: unknown): unknown => {
    if (typeof value === "string") return messageIdField.test(field) ? (ids.get(value) ?? value) : value;
    if (depth === 0) return value;
    if (Array.isArray(value)) {
      return value.map((element: unknown) =>
        isJsonObject(element) ? withMessageIds(element, ids, depth - 1) : element,
      );
    }
    return isJsonObject(value) ? withMessageIds(value, ids, depth - 1) : value;
  };
  return Object.fromEntries(Object.entries(found).map(([field, value]) => [field, renamed(field, value)]));
}

function withToolCallIds(message: Message, ids: ReadonlyMap<string, string> | undefined): Message {
  if (ids === undefined) return message;
  if (message.role === "toolResult")
    return { ...message, toolCallId: ids.get(message.toolCallId) ?? message.toolCallId };
  if (message.role !== "assistant") return message;
  const content = message.content.map((part) =>
    part.type === "toolCall" ? { ...part, id: ids.get(part.id) ?? part.id } : part,
  );
  return { ...message, content };
}

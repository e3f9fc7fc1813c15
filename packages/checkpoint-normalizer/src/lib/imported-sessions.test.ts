import type { Message } from "@holdfast/message-schema";
import { checkRequest, describeWithSessions } from "@holdfast/test-kit";
import { type CompactionRecord, type Conversation, readTranscript } from "@holdfast/transcripts";
import { expect, test } from "vitest";
import type { Checkpoint } from "./checkpoint.ts";
import { checkpointFromCompaction } from "./checkpoint-from-compaction.ts";
import { describeCheckpoint } from "./describe-checkpoint.ts";
import { ids } from "./fixtures/conversation.ts";
import { rebuildContext } from "./rebuild-context.ts";
import { selectCheckpoint } from "./select-checkpoint.ts";
import { uncovered } from "./uncovered.ts";

interface Imported {
  readonly record: CompactionRecord;
  readonly checkpoint: Checkpoint;
  readonly context: readonly Message[];
}

/** The main conversation of a file and a checkpoint for each of its compactions, checked for what all must hold. */
async function importSession(path: string): Promise<{ conversation: Conversation; imported: readonly Imported[] }> {
  const [conversation] = (await readTranscript(path)).conversations;
  if (conversation === undefined) throw new Error(`${path} holds no conversation`);
  const imported: Imported[] = [];
  for (const record of conversation.compactions) {
    const previous = imported.at(-1)?.checkpoint;
    const converted = checkpointFromCompaction(record, conversation, { previous });
    if (!converted.ok) throw new Error(JSON.stringify(converted.diagnostics));
    const { checkpoint } = converted;
    const context = rebuildContext({ transcript: conversation.messages, checkpoint });
    expect(checkRequest(context, { startsWithUser: true })).toEqual([]);
    expect(describeCheckpoint(checkpoint).problems).toEqual([]);
    imported.push({ record, checkpoint, context });
  }
  const chain = imported.map(({ checkpoint }) => checkpoint);
  expect(chain.map(({ details }) => details.generation)).toEqual(chain.map((_, place) => place + 1));
  expect(selectCheckpoint(chain, conversation.messages).checkpoint?.id).toBe(chain.at(-1)?.id);
  return { conversation, imported };
}

/** What is sent of the conversation from a position on. */
function sentFrom(position: number, { messages }: Conversation): string[] {
  return ids(rebuildContext({ transcript: messages.slice(position) }));
}

describeWithSessions("compactions in recorded sessions become checkpoints", (sessionFile) => {
  test("pi: the summary and all that pi kept", async () => {
    for (const [name, count] of [
      ["pi-v1__pi-mono__before-compaction.jsonl", 2],
      ["pi-v3__gajae__03-raddit-dashboard.jsonl", 1],
    ] as const) {
      const { conversation, imported } = await importSession(sessionFile(name));
      expect(imported).toHaveLength(count);
      for (const { record, checkpoint, context } of imported) {
        expect(checkpoint.summary).toBe(record.summary);
        expect(checkpoint.retainedTail).toEqual([]);
        expect(ids(context.slice(1))).toEqual(sentFrom(record.keptFrom ?? -1, conversation));
      }
      expect(uncovered([imported.at(-1)?.checkpoint], conversation.messages)).toEqual([]);
    }
  });

  test("Claude Code: the summary and what follows it", async () => {
    const { conversation, imported } = await importSession(sessionFile("claude__entire-cli__3-compactions.jsonl"));
    expect(imported).toHaveLength(3);
    for (const { record, context } of imported) {
      expect(context[0]?.content).toContain(record.summary?.trim());
      expect(ids(context.slice(1))).toEqual(sentFrom(record.at, conversation));
    }
  });

  test("Codex: a summary that cannot be read is said to be so, kept, and read again by the next one", async () => {
    const { conversation, imported } = await importSession(sessionFile("codex__agentv__2-compactions.jsonl"));
    expect(imported).toHaveLength(2);
    for (const { record, checkpoint, context } of imported) {
      expect(checkpoint.summary).toBeNull();
      expect(checkpoint.opaque).toEqual(record.opaque);
      expect(context[0]?.content).toContain("cannot be read here");
    }
    const chain = imported.map(({ checkpoint }) => checkpoint);
    const [gap, ...others] = uncovered(chain, conversation.messages);
    expect(others).toEqual([]);
    expect(gap).toEqual({
      from: conversation.messages.find(({ role }) => role !== "system")?.id,
      through: chain.at(-1)?.throughMessageId,
    });
  });

  test("Kimi: a readable summary of everything before it", async () => {
    const { imported } = await importSession(sessionFile("kimi-cli-wire__agent-sessions__full-compaction.jsonl"));
    expect(imported.map(({ record, checkpoint }) => checkpoint.summary === record.summary)).toEqual([true]);
  });

  test("Claude Code and opencode: outputs that were cleared for the model are cleared, and nothing else is", async () => {
    for (const name of ["claude__kimi-cli__cjk-images-microcompact.jsonl", "opencode__nimbus__errors.json"]) {
      const { conversation, imported } = await importSession(sessionFile(name));
      const last = imported.at(-1);
      if (last === undefined) throw new Error(`${name} holds no compaction`);
      expect(last.record.replaces).toBe("tool-outputs");
      const everything = rebuildContext({ transcript: conversation.messages });
      expect(ids(last.context.slice(1))).toEqual(ids(everything));
      const boundary = everything.findIndex(({ id }) => id === last.checkpoint.throughMessageId);
      const cleared = new Set(imported.flatMap(({ record }) => record.toolCallIds ?? []));
      last.context.slice(1).forEach((message, place) => {
        const isCleared = message.role === "toolResult" && cleared.has(message.toolCallId) && place <= boundary;
        const before = everything[place];
        const text = "[the output of this call was removed from the context]";
        expect(message.content).toEqual(isCleared ? [{ type: "text", text }] : before?.content);
      });
    }
  });
});

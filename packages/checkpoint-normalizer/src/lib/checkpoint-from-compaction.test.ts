import type { Message } from "@holdfast/message-schema";
import { describe, expect, test } from "vitest";
import type { Checkpoint } from "./checkpoint.ts";
import { checkpointFromCompaction } from "./checkpoint-from-compaction.ts";
import { checkpointSchema } from "./checkpoint-schema.ts";
import { assistant, calls, checkpoint, ids, result, system, user } from "./fixtures/conversation.ts";
import type { ImportedCompaction, ImportOptions } from "./imported-compaction.ts";
import { rebuildContext } from "./rebuild-context.ts";

const messages: readonly Message[] = [
  user("u1"),
  assistant("a1"),
  user("u2"),
  calls("a2", "c1"),
  result("r1", "c1"),
  assistant("a3"),
  user("u4"),
];

function imported(record: ImportedCompaction, list = messages, options?: ImportOptions): Checkpoint {
  const converted = checkpointFromCompaction(record, { id: "main", messages: list }, options);
  if (!converted.ok) throw new Error(JSON.stringify(converted.diagnostics));
  expect(checkpointSchema.safeParse(converted.checkpoint).success).toBe(true);
  return converted.checkpoint;
}

function refusal(record: Partial<ImportedCompaction>, list = messages): string | undefined {
  const whole: ImportedCompaction = { at: 5, summary: "s", replaces: "prefix", ...record };
  const converted = checkpointFromCompaction(whole, { id: "main", messages: list });
  return converted.ok ? undefined : converted.diagnostics[0]?.message;
}

describe("an imported compaction", () => {
  test("with a first kept message ends before it and sends all that the tool sent", () => {
    const record = imported({
      at: 6,
      summary: "Parser done.",
      keptFrom: 3,
      replaces: "prefix",
      tokensBefore: 900,
      trigger: "auto",
      files: { read: ["a.ts", "b.ts"], modified: ["b.ts"] },
    });
    expect(record).toEqual({
      id: "imported:main:6",
      summary: "Parser done.",
      throughMessageId: "u2",
      tokensBefore: 900,
      retainedTail: [],
      details: {
        generation: 1,
        strategy: "summary",
        readFiles: ["a.ts"],
        modifiedFiles: ["b.ts"],
        uncovered: [],
        imported: { replaces: "prefix", trigger: "auto" },
      },
      createdAt: "1970-01-01T00:00:00.000Z",
    });
    expect(ids(rebuildContext({ transcript: messages, checkpoint: record }))).toEqual([
      "summary:imported:main:6",
      "a2",
      "r1",
      "a3",
      "u4",
    ]);
  });

  test("without one stands for everything before the record", () => {
    expect(imported({ at: 6, summary: "s", replaces: "prefix" }).throughMessageId).toBe("a3");
    expect(imported({ at: 6, summary: "s", replaces: "all" }).throughMessageId).toBe("a3");
  });

  test("counts on from the one before it and takes its files along", () => {
    const previous = checkpoint("a1", {
      generation: 4,
      readFiles: ["old.ts"],
      uncovered: [{ from: "u1", through: "u1" }],
    });
    const record = imported({ at: 6, summary: "s", replaces: "prefix" }, messages, { previous });
    expect(record.details).toMatchObject({
      generation: 5,
      readFiles: ["old.ts"],
      uncovered: [{ from: "u1", through: "u1" }],
    });
  });

  test("is dated by the message at its boundary, since the file does not date it", () => {
    const dated = messages.map((message) => ({ ...message, timestamp: Date.UTC(2026, 0, 2) }));
    expect(imported({ at: 6, summary: "s", replaces: "all" }, dated).createdAt).toBe("2026-01-02T00:00:00.000Z");
  });

  test("SE-03 between a call and its result leaves the exchange whole, behind the boundary", () => {
    const record = imported({ at: 4, summary: "s", replaces: "prefix" });
    expect(record.throughMessageId).toBe("u2");
    const list = [user("u0"), calls("a1", "x"), user("u2"), calls("a3", "x"), result("r3", "x")];
    expect(imported({ at: 3, summary: "s", replaces: "prefix" }, list).throughMessageId).toBe("u2");
  });
});

describe("an imported compaction whose summary cannot be read", () => {
  test("keeps what stood there, says so in the context, and counts the stretch as unread", () => {
    const record = imported({
      at: 6,
      summary: null,
      opaque: { type: "compaction", encrypted_content: "gAAA" },
      replaces: "all",
    });
    expect(record.summary).toBeNull();
    expect(record.opaque).toEqual({ type: "compaction", encrypted_content: "gAAA" });
    expect(record.details.uncovered).toEqual([{ from: "u1", through: "a3" }]);
    expect(rebuildContext({ transcript: messages, checkpoint: record })).toEqual([
      {
        id: "summary:imported:main:6",
        role: "user",
        content:
          "Earlier messages of this conversation were compacted by another tool, and the summary it made cannot be read here.",
        origin: "injected",
      },
      user("u4"),
    ]);
  });

  test("in the middle of a turn keeps the request that is running, after a completed turn none", () => {
    expect(imported({ at: 5, summary: null, replaces: "all" }).retainedTail).toEqual([user("u2")]);
    expect(imported({ at: 6, summary: null, replaces: "all" }).retainedTail).toEqual([]);
  });
});

describe("an imported clearing of tool outputs", () => {
  const cleared: ImportedCompaction = { at: 6, summary: null, replaces: "tool-outputs", toolCallIds: ["c1"] };
  const placeholder = "[the output of this call was removed from the context]";

  test("becomes a window in which these outputs are replaced and nothing else is", () => {
    const record = imported(cleared);
    const context = rebuildContext({ transcript: messages, checkpoint: record });
    expect(ids(context)).toEqual(["summary:imported:main:6", "u1", "a1", "u2", "a2", "r1", "a3", "u4"]);
    expect(context[5]?.content).toEqual([{ type: "text", text: placeholder }]);
    expect(messages[4]).toEqual(result("r1", "c1"));
    expect(record.details.uncovered).toEqual([{ from: "u1", through: "a3" }]);
  });

  test("after a summary carries it on and leaves what it covers covered", () => {
    const previous = checkpoint("a1", { generation: 1, uncovered: [] }, { summary: "Parser done." });
    const record = imported(cleared, messages, { previous });
    expect(record.summary).toMatch(/^Parser done\.\n\n<recovery_notice>/);
    expect(record.retainedTail.map(({ id }) => id)).toEqual(["u2", "a2", "r1", "a3"]);
    expect(record.details.uncovered).toEqual([{ from: "u2", through: "a3" }]);
  });
});

describe("what cannot become a checkpoint", () => {
  test("is refused in words", () => {
    expect(refusal({ at: 0 })).toBe("no checkpoint is made: nothing lies before it");
    expect(refusal({ at: 1 }, [system("s0"), user("u1")])).toBe("no checkpoint is made: nothing lies before it");
    expect(refusal({ at: 8 })).toBe("no checkpoint is made: its position 8 is not in the conversation");
    expect(refusal({ keptFrom: 1.5 })).toBe("no checkpoint is made: its position 1.5 is not in the conversation");
    expect(refusal({ summary: " \n" })).toBe("no checkpoint is made: its summary is blank");
    expect(refusal({})).toBeUndefined();
  });

  test("NO-06 (e) a list of replaced messages is converted only if they are the beginning", () => {
    const listed = imported({ at: 6, summary: "s", replaces: "prefix", replacedMessageIds: ["u1", "a1"] });
    expect(listed.throughMessageId).toBe("a1");
    const why = "no checkpoint is made: the messages it replaced are not the beginning of the conversation";
    expect(refusal({ replacedMessageIds: ["u1", "u2"] })).toBe(why);
    expect(refusal({ replacedMessageIds: ["a1", "u2"] })).toBe(why);
    expect(refusal({ replacedMessageIds: ["a1", "u1"] })).toBe(why);
  });
});

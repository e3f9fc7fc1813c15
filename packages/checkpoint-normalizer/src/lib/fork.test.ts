import type { Message } from "@holdfast/message-schema";
import { describe, expect, test } from "vitest";
import { assistant, calls, checkpoint, ids, result, user } from "./fixtures/conversation.ts";
import { rebuildContext } from "./rebuild-context.ts";
import { remapCheckpoints } from "./remap-checkpoints.ts";
import { selectCheckpoint } from "./select-checkpoint.ts";
import { truncateCheckpoints } from "./truncate-checkpoints.ts";

const parent = [user("u1"), assistant("a1"), user("u2"), calls("a2", "c1"), result("r1", "c1"), user("u3")];
const record = checkpoint(
  "r1",
  { retainedTailShape: "recent_window", uncovered: [{ from: "u1", through: "a1" }] },
  { retainedTail: parent.slice(2, 5), firstKeptMessageId: "u2" },
);

function forkAt(length: number) {
  const messages = new Map(parent.slice(0, length).map(({ id }) => [id, `fork-${id}`]));
  const toolCalls = new Map([["c1", "call-9"]]);
  const renamed = (message: Message): Message => {
    const id = `fork-${message.id}`;
    if (message.role === "toolResult") return { ...message, id, toolCallId: "call-9" };
    return message.id === "a2" ? calls(id, "call-9") : { ...message, id };
  };
  return { transcript: parent.slice(0, length).map(renamed), idMap: { messages, toolCalls } };
}

describe("NO-03 a fork with fresh ids", () => {
  test("sends what its parent sends, ids aside", () => {
    const { transcript, idMap } = forkAt(6);
    const before = JSON.stringify(record);
    const { checkpoints, diagnostics } = remapCheckpoints([record], idMap);
    const { checkpoint: selected } = selectCheckpoint(checkpoints, transcript);
    expect(ids(rebuildContext({ transcript: parent, checkpoint: record }))).toEqual([
      "summary:ck-r1",
      "u2",
      "a2",
      "r1",
      "u3",
    ]);
    expect(rebuildContext({ transcript, checkpoint: selected }).slice(1)).toEqual(transcript.slice(2));
    expect(checkpoints[0]).toMatchObject({
      throughMessageId: "fork-r1",
      firstKeptMessageId: "fork-u2",
      details: { uncovered: [{ from: "fork-u1", through: "fork-a1" }] },
    });
    expect(diagnostics).toEqual([]);
    expect(JSON.stringify(record)).toBe(before);
  });

  test("at the boundary itself carries the record, before it none", () => {
    expect(remapCheckpoints([record], forkAt(5).idMap).checkpoints).toHaveLength(1);
    const earlier = remapCheckpoints([record], forkAt(4).idMap);
    expect(earlier.checkpoints).toEqual([]);
    expect(earlier.diagnostics[0]?.message).toBe("the fork does not include its boundary r1: left out");
  });

  test("finds its messages again where other packages stored their ids in the details", () => {
    const details = {
      ledger: { through: "a1", files: [{ path: "a1", from: "u1" }] },
      limiter: { sinceMessageId: "u2" },
    };
    const { checkpoints } = remapCheckpoints([checkpoint("r1", { ...details, readFiles: ["u1"] })], forkAt(6).idMap);
    expect(checkpoints[0]?.details).toEqual({
      generation: 1,
      ledger: { through: "fork-a1", files: [{ path: "a1", from: "fork-u1" }] },
      limiter: { sinceMessageId: "fork-u2" },
      readFiles: ["u1"],
    });
  });

  test("selects what its parent selects, in whatever order the chain is stored", () => {
    const chain = [checkpoint("r1", { generation: 2 }), checkpoint("a1", { generation: 1 })];
    const { transcript, idMap } = forkAt(6);
    expect(selectCheckpoint(chain, parent).checkpoint?.throughMessageId).toBe("r1");
    const { checkpoints } = remapCheckpoints(chain, idMap);
    expect(selectCheckpoint(checkpoints, transcript).checkpoint?.throughMessageId).toBe("fork-r1");
  });

  test("counts the generations of its own chain from 1", () => {
    const chain = [
      checkpoint("a1", { generation: 4 }),
      checkpoint("u3", { generation: 5 }),
      checkpoint("r1", { generation: 6 }),
    ];
    const { checkpoints } = remapCheckpoints(chain, forkAt(5).idMap);
    expect(checkpoints.map(({ throughMessageId, details }) => [throughMessageId, details.generation])).toEqual([
      ["fork-a1", 1],
      ["fork-r1", 2],
    ]);
  });

  test("leaves a record of a newer version to whoever can read it", () => {
    const { checkpoints, diagnostics } = remapCheckpoints([{ ...record, version: 2 }], forkAt(6).idMap);
    expect(checkpoints).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["newer_version"]);
  });
});

describe("a truncated transcript", () => {
  test("NO-07 rolling a turn back rolls back the records made in it, and the one before speaks again", () => {
    const chain = [checkpoint("a1", { generation: 1 }), { ...record, details: { ...record.details, generation: 2 } }];
    const rolledBack = parent.slice(0, 3);
    const kept = truncateCheckpoints(chain, rolledBack);
    expect(kept).toEqual([chain[0]]);
    expect(kept[0]).toBe(chain[0]);
    expect(selectCheckpoint(kept, rolledBack).checkpoint?.throughMessageId).toBe("a1");
    expect(selectCheckpoint(chain, rolledBack).checkpoint?.throughMessageId).toBe("a1");
  });

  test("NO-06 keeps every record whose boundary is still there, also one of a newer version, untouched", () => {
    const newer = { ...record, version: 9 };
    expect(truncateCheckpoints([record, null, newer], parent)).toEqual([record, newer]);
  });
});

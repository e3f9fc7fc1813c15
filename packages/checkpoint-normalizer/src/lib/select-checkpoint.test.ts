import { describe, expect, test } from "vitest";
import { assistant, calls, checkpoint, ids, result, user } from "./fixtures/conversation.ts";
import { rebuildContext } from "./rebuild-context.ts";
import { selectCheckpoint } from "./select-checkpoint.ts";

const transcript = [user("u1"), assistant("a1"), user("u2"), assistant("a2"), user("u3"), assistant("a3")];
const first = checkpoint("a1", { generation: 1 });
const second = checkpoint("a2", { generation: 2 });

describe("which record of a chain speaks", () => {
  test("the one of the highest generation, wherever it stands in the chain", () => {
    expect(selectCheckpoint([first, second], transcript).checkpoint).toEqual(second);
    expect(selectCheckpoint([second, first], transcript).checkpoint).toEqual(second);
    expect(selectCheckpoint([], transcript)).toEqual({ generation: 0, diagnostics: [] });
  });

  test("it comes back normalized", () => {
    const record = checkpoint(
      "a2",
      { generation: 2, retainedTailMode: "completed_turn" },
      { retainedTail: [user("u2")] },
    );
    const selected = selectCheckpoint([record], transcript);
    expect(selected.checkpoint?.retainedTail).toEqual([]);
    expect(selected.diagnostics.map(({ code }) => code)).toEqual(["tail_ignored"]);
  });

  test("records from before generations were counted speak in the order in which they were written", () => {
    const { generation: _, ...noGeneration } = first.details;
    const old = [first, second].map((record) => ({ ...record, details: noGeneration }));
    const selected = selectCheckpoint(old, transcript);
    expect(selected.checkpoint?.throughMessageId).toBe("a2");
    expect(selected.checkpoint?.details.generation).toBe(2);
    expect(selected.generation).toBe(2);
  });

  test("NO-06 (b) a blank summary is passed over for the record before it", () => {
    const blank = checkpoint("a2", { generation: 2 }, { summary: " \n" });
    const selected = selectCheckpoint([first, blank], transcript);
    expect(selected.checkpoint).toEqual(first);
    expect(selected.diagnostics).toEqual([
      { code: "blank_summary", checkpointId: "ck-a2", field: "summary", message: "its summary is blank: passed over" },
    ]);
  });

  test("NO-06 (c) a summary that was cut in mid-section is passed over", () => {
    const whole = "## Goal\nShip.\n\n__Progress__\nHalf.\n\n**Next *steps*:**\nTest.";
    const made = { generation: 2, strategy: "summary", promptVersion: "holdfast-summary@1" };
    const cut = checkpoint("a2", made, { summary: "## Goal\nShip.\n\n## Progr" });
    const selected = selectCheckpoint([first, cut], transcript);
    expect(selected.checkpoint).toEqual(first);
    expect(selected.diagnostics[0]?.message).toBe("its summary lacks Progress, Next steps: passed over");
    expect(selectCheckpoint([first, checkpoint("a2", made, { summary: whole })], transcript).generation).toBe(2);
    expect(selectCheckpoint([checkpoint("a2", made, { summary: whole })], transcript).checkpoint?.summary).toBe(whole);
  });

  test("NO-06 (f) a record of a newer version is left alone, and the next append counts it", () => {
    const newer = { ...checkpoint("a3", { generation: 3 }), version: 99 };
    const selected = selectCheckpoint([first, second, newer], transcript);
    expect(selected.checkpoint).toEqual(second);
    expect(selected.generation).toBe(3);
    expect(selected.diagnostics.map(({ code }) => code)).toEqual(["newer_version"]);
  });

  test("a damaged record costs itself only", () => {
    const chain = [null, first, "x", { details: { generation: 9 } }, [second]];
    expect(selectCheckpoint(chain, transcript).checkpoint).toEqual(first);
  });
});

describe("NO-04 a checkpoint that points at a message that is not there", () => {
  test("the newest record whose boundary is there speaks instead, with the messages behind it", () => {
    const gone = checkpoint("label-7", { generation: 2 });
    const selected = selectCheckpoint([first, gone], transcript);
    expect(selected.checkpoint).toEqual(first);
    expect(selected.diagnostics).toEqual([
      {
        code: "boundary_gone",
        checkpointId: "ck-label-7",
        field: "throughMessageId",
        message: "its boundary label-7 is not in the transcript: passed over",
      },
    ]);
    expect(ids(rebuildContext({ transcript, checkpoint: selected.checkpoint }))).toEqual([
      "summary:ck-a1",
      "u2",
      "a2",
      "u3",
      "a3",
    ]);
  });

  test("with no valid record the transcript speaks for itself, never a summary alone", () => {
    const selected = selectCheckpoint([checkpoint("label-7")], transcript);
    expect(selected.checkpoint).toBeUndefined();
    expect(rebuildContext({ transcript, checkpoint: selected.checkpoint })).toEqual(transcript);
    expect(rebuildContext({ transcript, checkpoint: checkpoint("label-7") })).toEqual(transcript);
  });

  test("a record of another branch is passed over on this one and speaks on its own", () => {
    const branch = [...transcript.slice(0, 2), user("u9"), assistant("a9")];
    expect(selectCheckpoint([first, second], branch).checkpoint).toEqual(first);
    expect(selectCheckpoint([first, second], transcript).checkpoint).toEqual(second);
  });

  test("a boundary behind the first kept message is still the boundary", () => {
    const record = checkpoint("a2", {}, { firstKeptMessageId: "u1" });
    expect(ids(rebuildContext({ transcript, checkpoint: record }))).toEqual(["summary:ck-a2", "u3", "a3"]);
  });
});

test("NO-02 an old record inside a later kept range contributes nothing and parts no pair", () => {
  const list = [user("u0"), calls("a1", "c1"), result("r1", "c1"), user("u2"), assistant("a2")];
  const old = checkpoint("a1", { generation: 1 }, { summary: "old words" });
  const newest = checkpoint("u0", { generation: 2 }, { summary: "new words" });
  const { checkpoint: selected } = selectCheckpoint([old, newest], list);
  const context = rebuildContext({ transcript: list, checkpoint: selected });
  expect(ids(context)).toEqual(["summary:ck-u0", "a1", "r1", "u2", "a2"]);
  expect(JSON.stringify(context)).not.toContain("old words");
});

import { describe, expect, test } from "vitest";
import { describeCheckpoint } from "./describe-checkpoint.ts";
import { checkpoint, user } from "./fixtures/conversation.ts";

describe("a record in words", () => {
  test("a success", () => {
    const details = {
      generation: 2,
      strategy: "summary",
      retainedTailMode: "active_turn",
      uncovered: [],
      readFiles: ["a"],
      modifiedFiles: ["b", "c"],
    };
    const record = checkpoint("m9", details, { retainedTail: [user("m8")], providerId: "acme", modelId: "large-2" });
    expect(describeCheckpoint(record)).toEqual({
      lines: [
        "Checkpoint ck-m9, generation 2, made 2026-11-30T12:00:00.000Z with acme/large-2.",
        "It stands for everything up to message m9 (1000 tokens before it was made).",
        "A success, made in the middle of a turn.",
        "Its summary has 18 characters.",
        "Its tail holds 1 message (no recent window), of which 1 is sent again.",
        "Everything up to it was read by a summary or given up on purpose.",
        "It lists 1 file read and 2 files modified.",
      ],
      problems: [],
    });
  });

  test("ids from a file neither break a line nor steer a terminal nor fill the screen", () => {
    const record = { ...checkpoint("m\u001b[31m9\n", {}), id: "x".repeat(5000), providerId: "a\r\u0007" };
    const { lines } = describeCheckpoint(record);
    expect(lines[0]).toHaveLength(1001);
    expect(lines[1]).toBe(
      "It stands for everything up to message m\ufffd[31m9\ufffd (1000 tokens before it was made).",
    );
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });

  test("a fallback with everything that is wrong with it", () => {
    const details = {
      generation: -1,
      strategy: "summary",
      fallback: "retained_tail",
      failureReason: "summary_provider",
      policy: "recent-window@2",
      retainedTailMode: "completed_turn",
      uncovered: [
        { from: "m1", through: "m4" },
        { from: "m6", through: "m9" },
      ],
    };
    const summary = "We fixed it.\n\n<recovery_notice>\nOlder messages are gone.\n</recovery_notice>";
    const record = checkpoint("m9", details, { summary, retainedTail: [user("m2"), user("m8")] });
    expect(describeCheckpoint(record)).toEqual({
      lines: [
        "Checkpoint ck-m9, generation not recorded, made 2026-11-30T12:00:00.000Z.",
        "It stands for everything up to message m9 (1000 tokens before it was made).",
        "A fallback, made after a completed turn by the policy recent-window@2: asking the model for a summary failed.",
        "Its text (75 characters) carries a summary of 12 characters on to the next one.",
        "Its tail holds 2 messages (no recent window), of which 1 is sent again.",
        "No summary has read 2 stretches: m1 to m4, m6 to m9.",
        "It lists 0 files read and 0 files modified.",
      ],
      problems: [
        "details.generation: generation is not a count: the record's place in the chain is used",
        "retainedTail: 1 of 2 stored tail messages are not replayed: only the latest request is, without the window's marker",
      ],
    });
  });

  test("a fresh window, an unreadable summary, and a blank one", () => {
    const fresh = checkpoint("m9", { strategy: "fresh_window" }, { summary: "A new window." });
    expect(describeCheckpoint(fresh).lines[2]).toBe(
      "A fresh window, opened at a point of the turn it does not record: what came before was given up on purpose.",
    );
    expect(describeCheckpoint(checkpoint("m9", {}, { summary: null })).lines[3]).toBe(
      "Its summary cannot be read: the context says so in a fixed line.",
    );
    expect(describeCheckpoint(checkpoint("m9", {}, { summary: " " })).problems).toEqual([
      "summary: its summary is blank: an older record is used",
    ]);
  });

  test("a size that the other tool did not record is left out", () => {
    expect(describeCheckpoint(checkpoint("m9", {}, { tokensBefore: 0 })).lines[1]).toBe(
      "It stands for everything up to message m9.",
    );
  });

  test("what cannot be read has no meaning, only problems", () => {
    expect(describeCheckpoint("hello")).toEqual({
      lines: [],
      problems: ["this is not a checkpoint: a JSON object was expected"],
    });
    expect(describeCheckpoint({ ...checkpoint("m9"), version: 99 })).toEqual({
      lines: [],
      problems: ["version: written by a newer version (99, this reader knows 1): left as it is"],
    });
  });
});

import { describe, expect, test } from "vitest";
import { assistant, checkpoint, ids, system, user } from "./fixtures/conversation.ts";
import { summaryRange } from "./summary-range.ts";
import { windowRange } from "./window-range.ts";

const transcript = [system("s0"), ...[1, 2, 3, 4].flatMap((turn) => [user(`u${turn}`), assistant(`a${turn}`)])];
const at = (id: string): number => transcript.findIndex((message) => message.id === id);

describe("what the selector of a new checkpoint sees", () => {
  test("is the transcript up to the new boundary when there is no checkpoint", () => {
    expect(ids(windowRange({ transcript, boundaryIndex: at("a2") }))).toEqual(["u1", "a1", "u2", "a2"]);
    expect(windowRange({ transcript, boundaryIndex: -1 })).toEqual([]);
    expect(windowRange({ transcript, boundaryIndex: at("s0") })).toEqual([]);
  });

  test("is the replayed tail, then what lies between the two boundaries", () => {
    const record = checkpoint(
      "a2",
      { retainedTailShape: "recent_window" },
      { retainedTail: [user("u2"), assistant("a2")] },
    );
    const range = windowRange({ transcript, checkpoint: record, boundaryIndex: at("a3") });
    expect(ids(range)).toEqual(["u2", "a2", "u3", "a3"]);
    expect(range[2]).toBe(transcript[at("u3")]);
    expect(ids(windowRange({ transcript, checkpoint: record, boundaryIndex: at("a2") }))).toEqual(["u2", "a2"]);
  });
});

describe("what the summarizer of a new checkpoint reads", () => {
  test("is everything behind the boundary before, up to the new one", () => {
    const range = summaryRange({ transcript, checkpoint: checkpoint("a2"), boundaryIndex: at("a3"), uncovered: [] });
    expect(ids(range.messages)).toEqual(["u3", "a3"]);
    expect(range.parts).toEqual([{ messages: transcript.slice(at("u3"), at("u4")), gap: false }]);
    expect(range.intervals).toEqual([]);
  });

  test("begins with what no summary has read, each gap a stretch of its own", () => {
    const gaps = [
      { from: "a2", through: "a2" },
      { from: "s0", through: "u1" },
    ];
    const range = summaryRange({ transcript, checkpoint: checkpoint("a2"), boundaryIndex: at("u3"), uncovered: gaps });
    expect(range.parts.map(({ messages, gap }) => [ids(messages), gap])).toEqual([
      [["u1"], true],
      [["a2"], true],
      [["u3"], false],
    ]);
    expect(ids(range.messages)).toEqual(["u1", "a2", "u3"]);
    expect(range.intervals).toEqual([
      { from: "u1", through: "u1" },
      { from: "a2", through: "a2" },
    ]);
  });

  test("holds only gaps when the boundary has not moved, and nothing when there are none", () => {
    const gaps = [{ from: "u1", through: "a1" }];
    const still = { transcript, checkpoint: checkpoint("a2"), boundaryIndex: at("a2") };
    expect(summaryRange({ ...still, uncovered: gaps }).parts.map(({ gap }) => gap)).toEqual([true]);
    expect(summaryRange({ ...still, uncovered: [] })).toEqual({ messages: [], parts: [], intervals: [] });
  });

  test("without a checkpoint is the transcript up to the boundary", () => {
    expect(ids(summaryRange({ transcript, boundaryIndex: at("u2"), uncovered: [] }).messages)).toEqual([
      "u1",
      "a1",
      "u2",
    ]);
  });
});

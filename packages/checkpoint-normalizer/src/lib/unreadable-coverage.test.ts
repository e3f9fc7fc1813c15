import { expect, test } from "vitest";
import { carriedSummary } from "./carried-summary.ts";
import { checkpointFromCompaction } from "./checkpoint-from-compaction.ts";
import { assistant, checkpoint, user } from "./fixtures/conversation.ts";
import { uncovered } from "./uncovered.ts";

const messages = [1, 2, 3, 4, 5].flatMap((number) => [user(`u${number}`), assistant(`a${number}`)]);

test("a summary that can be read survives an import whose summary cannot", () => {
  const source = { id: "s", messages };
  const first = checkpointFromCompaction({ at: 4, summary: "FIRST SUMMARY", replaces: "all" }, source);
  if (!first.ok) throw new Error("the first record was not converted");
  const opaque = { at: 8, summary: null, opaque: { sealed: "x" }, replaces: "all" } as const;
  const second = checkpointFromCompaction(opaque, source, { previous: first.checkpoint });
  if (!second.ok) throw new Error("the second record was not converted");
  expect(second.checkpoint.summary).toBeNull();
  expect(carriedSummary(second.checkpoint)).toBe("FIRST SUMMARY");
  expect(uncovered([first.checkpoint, second.checkpoint], messages)).toEqual([{ from: "u3", through: "a4" }]);
});

test("a record that nobody can read and that carries no summary stands for nothing", () => {
  const chain = [
    checkpoint("a2", { generation: 1 }),
    { ...checkpoint("a4", { generation: 2, uncovered: undefined }), summary: null },
  ];
  expect(uncovered(chain, messages)).toEqual([{ from: "u1", through: "a4" }]);
});

test("half of an interval counts at its widest, never as read", () => {
  const damaged = [
    { from: "u1", through: "a1" },
    { from: "u3", through: 7 },
  ];
  const record = checkpoint("a4", { generation: 1, uncovered: damaged as never });
  expect(uncovered([record], messages)).toEqual([
    { from: "u1", through: "a1" },
    { from: "u3", through: "a4" },
  ]);
});

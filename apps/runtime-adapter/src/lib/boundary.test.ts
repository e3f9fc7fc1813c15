import { expect, test } from "vitest";
import { findBoundary } from "./boundary.ts";
import type { CompactionTrigger } from "./compaction-plan.ts";
import { transcriptOf } from "./message-notation.ts";

function cut(notation: string, trigger: CompactionTrigger = "automatic") {
  const transcript = transcriptOf(notation);
  const { index, mode } = findBoundary(transcript, trigger);
  return [transcript[index]?.id ?? "nothing", mode];
}

test("a prompt after a finished turn stays behind the boundary, and the turn is completed", () => {
  expect(cut("u1 a1 u2")).toEqual(["a1", "completed_turn"]);
});

test("queued prompts and steering notes all stay behind the boundary", () => {
  expect(cut("u1 a1 u2 n1 u3")).toEqual(["a1", "completed_turn"]);
});

test("a tool loop is compacted up to its newest result, as an active turn", () => {
  expect(cut("u1 a1[c1] r(c1)")).toEqual(["r2", "active_turn"]);
});

test("a steering note in a tool loop does not complete the turn", () => {
  expect(cut("u1 a1[c1] r(c1) u2")).toEqual(["r2", "active_turn"]);
});

test("SE-03 an exchange with open calls stays behind the boundary whole", () => {
  expect(cut("u1 a1 u2 a2[c1,c2] r(c1)")).toEqual(["u2", "active_turn"]);
});

test("an old call without its result holds nothing back", () => {
  expect(cut("u1 a1[c1] u2 a2 u3")).toEqual(["a2", "completed_turn"]);
});

test("a discarded newest answer does not hide the open exchange before it", () => {
  expect(cut("u1 a1[c1] a2:error")).toEqual(["u1", "active_turn"]);
});

test("a turn that failed or was aborted is completed by the next prompt", () => {
  expect(cut("u1 a1[c1] r(c1) a2:aborted u2")).toEqual(["a2", "completed_turn"]);
  expect(cut("u1 a1:error u2")).toEqual(["a1", "completed_turn"]);
});

test("an injected note alone does not complete a turn", () => {
  expect(cut("u1 a1 n1")).toEqual(["a1", "active_turn"]);
});

test("at the end of a turn and by hand no prompt is needed to complete it", () => {
  expect(cut("u1 a1", "end_turn")).toEqual(["a1", "completed_turn"]);
  expect(cut("u1 a1", "manual")).toEqual(["a1", "completed_turn"]);
  expect(cut("u1 a1[c1] r(c1)", "manual")).toEqual(["r2", "active_turn"]);
});

test("an overflow cuts at the end of the list, so that the prompt itself may be shortened", () => {
  expect(cut("u1 a1 u2", "overflow")).toEqual(["u2", "active_turn"]);
});

test("a window that the model asked for in its turn continues the turn, and revives none that had ended", () => {
  expect(cut("u1 a1[c1] r(c1)", "new_context")).toEqual(["r2", "active_turn"]);
  expect(cut("u1 a1 u2", "new_context")).toEqual(["a1", "completed_turn"]);
});

test("a first prompt alone leaves nothing before the boundary", () => {
  expect(cut("u1")).toEqual(["nothing", "active_turn"]);
  expect(findBoundary([], "automatic")).toEqual({ index: -1, mode: "active_turn" });
});

import { describe, expect, it } from "vitest";
import { findPairingProblems } from "./find-pairing-problems.ts";
import { type PlainMessage, plainShape } from "./fixtures/plain-message.ts";

const calls = (...ids: string[]): PlainMessage => ({ role: "assistant", text: "", calls: ids });
const answers = (...ids: string[]): PlainMessage => ({ role: "tool", text: "ok", answers: ids });
const user: PlainMessage = { role: "user", text: "go" };

const problemsOf = (...messages: PlainMessage[]) => findPairingProblems(messages, plainShape);

describe("findPairingProblems", () => {
  it("finds nothing in lists whose calls and results pair, however they are ordered", () => {
    expect(problemsOf()).toEqual([]);
    expect(problemsOf(calls("a", "b"), answers("b"), user, answers("a"))).toEqual([]);
    expect(problemsOf(calls("a"), answers("a"), calls("a"), answers("a"))).toEqual([]);
    expect(problemsOf(calls("a", "a"), answers("a", "a"))).toEqual([]);
    expect(problemsOf(calls("a"), calls("a"), answers("a"), answers("a"))).toEqual([]);
  });

  it("names every orphan and every unanswered call, in the order of the list", () => {
    expect(problemsOf(answers("x"), calls("a", "b"), answers("a"), answers("a"), calls("c"))).toEqual([
      { kind: "orphaned_result", index: 0, toolCallId: "x" },
      { kind: "unanswered_call", index: 1, toolCallId: "b" },
      { kind: "orphaned_result", index: 3, toolCallId: "a" },
      { kind: "unanswered_call", index: 4, toolCallId: "c" },
    ]);
  });

  it("takes a result that stands before its call for an orphan", () => {
    expect(problemsOf(answers("a"), calls("a")).map(({ kind }) => kind)).toEqual([
      "orphaned_result",
      "unanswered_call",
    ]);
  });

  it("refuses an unknown role, naming the message", () => {
    expect(() => problemsOf(user, { ...user, role: "narrator" as "user" })).toThrow(/message 1: narrator/);
  });
});

import type { Message } from "@holdfast/message-schema";
import { describe, expect, test } from "vitest";
import type { CheckpointDetails } from "./checkpoint.ts";
import { assistant, calls, checkpoint, ids, injected, result, system, user } from "./fixtures/conversation.ts";
import { normalizeCheckpoint } from "./normalize-checkpoint.ts";

// Two requests, an exchange, a call that nothing answers, and a reminder at the end that is no request.
const stored = [user("u1"), calls("a1", "c1"), result("r1", "c1"), user("u2"), calls("a2", "c2"), injected("i3")];

// A record from before a field existed does not have it: "not recorded" stands for every generation of such records.
const table = `
  | family       | outcome  | mode           | shape marker  | sent again     |
  | ------------ | -------- | -------------- | ------------- | -------------- |
  | summary      | success  | active_turn    | recent_window | u1 a1 r1 u2 i3 |
  | summary      | success  | active_turn    | not recorded  | u2             |
  | summary      | success  | active_turn    | ring_buffer   | u2             |
  | summary      | success  | completed_turn | recent_window | u1 a1 r1 u2 i3 |
  | summary      | success  | completed_turn | not recorded  | nothing        |
  | summary      | success  | completed_turn | ring_buffer   | nothing        |
  | summary      | success  | paused_turn    | recent_window | u1 a1 r1 u2 i3 |
  | summary      | success  | paused_turn    | not recorded  | u2             |
  | summary      | success  | paused_turn    | ring_buffer   | u2             |
  | summary      | success  | not recorded   | recent_window | u1 a1 r1 u2 i3 |
  | summary      | success  | not recorded   | not recorded  | u2             |
  | summary      | success  | not recorded   | ring_buffer   | u2             |
  | summary      | fallback | active_turn    | recent_window | u1 a1 r1 u2 i3 |
  | summary      | fallback | active_turn    | not recorded  | u2             |
  | summary      | fallback | active_turn    | ring_buffer   | u2             |
  | summary      | fallback | completed_turn | recent_window | u1 a1 r1 u2 i3 |
  | summary      | fallback | completed_turn | not recorded  | u2             |
  | summary      | fallback | completed_turn | ring_buffer   | u2             |
  | summary      | fallback | paused_turn    | recent_window | u1 a1 r1 u2 i3 |
  | summary      | fallback | paused_turn    | not recorded  | u2             |
  | summary      | fallback | paused_turn    | ring_buffer   | u2             |
  | summary      | fallback | not recorded   | recent_window | u1 a1 r1 u2 i3 |
  | summary      | fallback | not recorded   | not recorded  | u2             |
  | summary      | fallback | not recorded   | ring_buffer   | u2             |
  | fresh_window | success  | active_turn    | recent_window | nothing        |
  | fresh_window | success  | active_turn    | not recorded  | nothing        |
  | fresh_window | success  | active_turn    | ring_buffer   | nothing        |
  | fresh_window | success  | completed_turn | recent_window | nothing        |
  | fresh_window | success  | completed_turn | not recorded  | nothing        |
  | fresh_window | success  | completed_turn | ring_buffer   | nothing        |
  | fresh_window | success  | paused_turn    | recent_window | nothing        |
  | fresh_window | success  | paused_turn    | not recorded  | nothing        |
  | fresh_window | success  | paused_turn    | ring_buffer   | nothing        |
  | fresh_window | success  | not recorded   | recent_window | nothing        |
  | fresh_window | success  | not recorded   | not recorded  | nothing        |
  | fresh_window | success  | not recorded   | ring_buffer   | nothing        |
  | fresh_window | fallback | active_turn    | recent_window | nothing        |
  | fresh_window | fallback | active_turn    | not recorded  | nothing        |
  | fresh_window | fallback | active_turn    | ring_buffer   | nothing        |
  | fresh_window | fallback | completed_turn | recent_window | nothing        |
  | fresh_window | fallback | completed_turn | not recorded  | nothing        |
  | fresh_window | fallback | completed_turn | ring_buffer   | nothing        |
  | fresh_window | fallback | paused_turn    | recent_window | nothing        |
  | fresh_window | fallback | paused_turn    | not recorded  | nothing        |
  | fresh_window | fallback | paused_turn    | ring_buffer   | nothing        |
  | fresh_window | fallback | not recorded   | recent_window | nothing        |
  | fresh_window | fallback | not recorded   | not recorded  | nothing        |
  | fresh_window | fallback | not recorded   | ring_buffer   | nothing        |
  | not recorded | success  | active_turn    | recent_window | u1 a1 r1 u2 i3 |
  | not recorded | success  | active_turn    | not recorded  | u2             |
  | not recorded | success  | active_turn    | ring_buffer   | u2             |
  | not recorded | success  | completed_turn | recent_window | u1 a1 r1 u2 i3 |
  | not recorded | success  | completed_turn | not recorded  | nothing        |
  | not recorded | success  | completed_turn | ring_buffer   | nothing        |
  | not recorded | success  | paused_turn    | recent_window | u1 a1 r1 u2 i3 |
  | not recorded | success  | paused_turn    | not recorded  | u2             |
  | not recorded | success  | paused_turn    | ring_buffer   | u2             |
  | not recorded | success  | not recorded   | recent_window | u1 a1 r1 u2 i3 |
  | not recorded | success  | not recorded   | not recorded  | u2             |
  | not recorded | success  | not recorded   | ring_buffer   | u2             |
  | not recorded | fallback | active_turn    | recent_window | u1 a1 r1 u2 i3 |
  | not recorded | fallback | active_turn    | not recorded  | u2             |
  | not recorded | fallback | active_turn    | ring_buffer   | u2             |
  | not recorded | fallback | completed_turn | recent_window | u1 a1 r1 u2 i3 |
  | not recorded | fallback | completed_turn | not recorded  | u2             |
  | not recorded | fallback | completed_turn | ring_buffer   | u2             |
  | not recorded | fallback | paused_turn    | recent_window | u1 a1 r1 u2 i3 |
  | not recorded | fallback | paused_turn    | not recorded  | u2             |
  | not recorded | fallback | paused_turn    | ring_buffer   | u2             |
  | not recorded | fallback | not recorded   | recent_window | u1 a1 r1 u2 i3 |
  | not recorded | fallback | not recorded   | not recorded  | u2             |
  | not recorded | fallback | not recorded   | ring_buffer   | u2             |
`;

function readTable(text: string): string[][] {
  const lines = text.trim().split("\n").slice(2);
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function recorded(word: string | undefined): string | undefined {
  return word === "not recorded" ? undefined : word;
}

describe("which stored messages are sent again", () => {
  test("is as the table says for every family, outcome, mode and shape marker", () => {
    const rows = readTable(table);
    expect(rows).toHaveLength(72);
    const found = rows.map(([family, outcome, mode, shape]) => {
      const details: Partial<CheckpointDetails> = {
        strategy: recorded(family),
        retainedTailMode: recorded(mode),
        retainedTailShape: recorded(shape),
        fallback: outcome === "fallback" ? "retained_tail" : undefined,
      };
      const { checkpoint: normalized } = normalizeCheckpoint(checkpoint("i3", details, { retainedTail: stored }));
      return [family, outcome, mode, shape, ids(normalized.retainedTail).join(" ") || "nothing"];
    });
    expect(found).toEqual(rows);
  });

  test("says what was wrong with a tail: one of a fresh window counts for nothing, one of a window was mended", () => {
    const codesOf = (details: Partial<CheckpointDetails>) =>
      normalizeCheckpoint(checkpoint("i3", details, { retainedTail: stored })).diagnostics.map(({ code }) => code);
    expect(codesOf({ strategy: "fresh_window", retainedTailShape: "recent_window" })).toEqual(["tail_ignored"]);
    expect(codesOf({ retainedTailShape: "recent_window" })).toEqual(["tail_repaired"]);
  });

  test("an old record with several requests in its tail brings back the last one only, whole", () => {
    const long = user("u2", "x".repeat(200_000));
    const tail = [user("u0"), user("u1"), long, assistant("a2"), injected("i3")];
    const { checkpoint: normalized, diagnostics } = normalizeCheckpoint(checkpoint("i3", {}, { retainedTail: tail }));
    expect(normalized.retainedTail).toEqual([long]);
    expect(normalized.retainedTail[0]).toBe(long);
    expect(diagnostics).toEqual([
      {
        code: "tail_ignored",
        checkpointId: "ck-i3",
        field: "retainedTail",
        message:
          "4 of 5 stored tail messages are not replayed: only the latest request is, without the window's marker",
      },
    ]);
  });

  test("a completed success with a stored tail reports that the summary speaks for it", () => {
    const record = checkpoint("i3", { retainedTailMode: "completed_turn" }, { retainedTail: stored });
    const { checkpoint: normalized, diagnostics } = normalizeCheckpoint(record);
    expect(normalized.retainedTail).toEqual([]);
    expect(diagnostics[0]?.message).toBe(
      "6 of 6 stored tail messages are not replayed: the turn was completed, so the summary speaks for it",
    );
  });

  test("a tail of reminders holds no request", () => {
    const record = checkpoint("i3", { retainedTailMode: "active_turn" }, { retainedTail: [injected("i3")] });
    expect(normalizeCheckpoint(record).checkpoint.retainedTail).toEqual([]);
  });
});

describe("a recent window that was stored", () => {
  const window = (...retainedTail: Message[]) =>
    normalizeCheckpoint(checkpoint("z", { retainedTailShape: "recent_window" }, { retainedTail })).checkpoint;

  test("loses the usage of its answers, which measured another context", () => {
    const usage = { input: 190_000, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 190_010 };
    const record = checkpoint(
      "a1",
      { retainedTailShape: "recent_window" },
      { retainedTail: [user("u1"), assistant("a1", { usage })] },
    );
    const { checkpoint: normalized, diagnostics } = normalizeCheckpoint(record);
    expect(normalized.retainedTail).toEqual([user("u1"), assistant("a1")]);
    expect(Object.keys(normalized.retainedTail[1] ?? {})).not.toContain("usage");
    expect(normalized.retainedTail[0]).toBe(record.retainedTail[0]);
    expect(diagnostics).toEqual([]);
    expect(record.retainedTail[1]).toHaveProperty("usage");
  });

  test("loses what a provider would refuse: orphans, unanswered calls, failed answers and their results", () => {
    const failed = { ...calls("a3", "c3"), stopReason: "error" as const };
    expect(
      ids(
        window(result("r0", "c0"), user("u1"), calls("a1", "c1", "c2"), result("r1", "c1"), failed, result("r3", "c3"))
          .retainedTail,
      ),
    ).toEqual(["u1", "a1", "r1"]);
  });

  test("keeps a system message in mid-conversation", () => {
    expect(ids(window(user("u1"), system("s2"), user("u3")).retainedTail)).toEqual(["u1", "s2", "u3"]);
  });

  test("is the same record, not a copy, when nothing is to be done", () => {
    const record = checkpoint("r1", { retainedTailShape: "recent_window" }, { retainedTail: stored.slice(0, 3) });
    expect(normalizeCheckpoint(record).checkpoint).toBe(record);
  });
});

import { describe, expect, test } from "vitest";
import { assistant, checkpoint, system, user } from "./fixtures/conversation.ts";
import { uncovered } from "./uncovered.ts";

const transcript = [system("s0"), ...[1, 2, 3, 4].flatMap((turn) => [user(`u${turn}`), assistant(`a${turn}`)])];
const fallback = { strategy: "summary", fallback: "retained_tail" };

describe("what no summary has read", () => {
  test("is nothing without a checkpoint", () => {
    expect(uncovered([], transcript)).toEqual([]);
  });

  test("is what the newest record lists, merged and in order", () => {
    const list = [
      { from: "u2", through: "a2" },
      { from: "u1", through: "a1" },
    ];
    const chain = [
      checkpoint("a1", { generation: 1, ...fallback }),
      checkpoint("a3", { generation: 2, uncovered: list }),
    ];
    expect(uncovered(chain, transcript)).toEqual([{ from: "u1", through: "a2" }]);
  });

  test("an empty list means nothing, whatever older records say", () => {
    const chain = [
      checkpoint("a1", { generation: 1, ...fallback }),
      checkpoint("a3", { generation: 2, uncovered: [] }),
    ];
    expect(uncovered(chain, transcript)).toEqual([]);
  });

  test("never reaches behind the boundary", () => {
    expect(uncovered([checkpoint("a2", { uncovered: [{ from: "u2", through: "a4" }] })], transcript)).toEqual([
      { from: "u2", through: "a2" },
    ]);
    expect(uncovered([checkpoint("a2", { uncovered: [{ from: "u3", through: "a4" }] })], transcript)).toEqual([]);
  });

  test("of records without a list: a fallback left its own stretch unread, a success did not", () => {
    expect(uncovered([checkpoint("a2", fallback)], transcript)).toEqual([{ from: "u1", through: "a2" }]);
    expect(uncovered([checkpoint("a2")], transcript)).toEqual([]);
    const chain = [
      checkpoint("a1", { generation: 1 }),
      checkpoint("a2", { generation: 2, ...fallback }),
      checkpoint("a3", { generation: 3 }),
      checkpoint("a4", { generation: 4, ...fallback }),
    ];
    expect(uncovered(chain, transcript)).toEqual([
      { from: "u2", through: "a2" },
      { from: "u4", through: "a4" },
    ]);
  });

  test("a record that lists nothing goes on from one that does", () => {
    const chain = [
      checkpoint("a2", { generation: 1, uncovered: [{ from: "u2", through: "u2" }] }),
      checkpoint("a4", { generation: 2, ...fallback }),
    ];
    expect(uncovered(chain, transcript)).toEqual([
      { from: "u2", through: "u2" },
      { from: "u3", through: "a4" },
    ]);
  });

  test("a fresh window gave up what came before it", () => {
    const chain = [
      checkpoint("a1", { generation: 1, ...fallback }),
      checkpoint("a2", { generation: 2, strategy: "fresh_window" }),
      checkpoint("a3", { generation: 3, ...fallback }),
    ];
    expect(uncovered(chain, transcript)).toEqual([{ from: "u3", through: "a3" }]);
  });

  test("a summary that nobody can read has read nothing", () => {
    expect(uncovered([checkpoint("a2", {}, { summary: null })], transcript)).toEqual([{ from: "u1", through: "a2" }]);
  });

  test("a record whose boundary is gone does not speak, here either", () => {
    const chain = [
      checkpoint("a1", { generation: 1, ...fallback }),
      checkpoint("gone", { generation: 2, uncovered: [] }),
    ];
    expect(uncovered(chain, transcript)).toEqual([{ from: "u1", through: "a1" }]);
  });
});

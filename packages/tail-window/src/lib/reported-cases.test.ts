import { describe, expect, it } from "vitest";
import { shape as anthropic } from "../anthropic.ts";
import { findPairingProblems } from "./find-pairing-problems.ts";
import { countPlain, type PlainMessage, plainShape, tokens } from "./fixtures/plain-message.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const user = (count: number): PlainMessage => ({ role: "user", text: tokens(count) });
const assistant = (count: number, ...calls: string[]): PlainMessage => ({
  role: "assistant",
  text: tokens(count - calls.length),
  ...(calls.length > 0 && { calls }),
});
const result = (id: string, count: number): PlainMessage => ({ role: "tool", text: tokens(count - 1), answers: [id] });

const select = (messages: readonly PlainMessage[], budgetTokens: number) =>
  selectTailWindow(messages, { budgetTokens, countTokens: countPlain, shape: plainShape });

describe("cases that users of other tools reported", () => {
  describe("SE-01 a cut between two results of one parallel call", () => {
    const call = assistant(20, "c1", "c2", "c3");
    const [r1, r2, r3] = [result("c1", 400), result("c2", 400), result("c3", 400)];
    const [u2, a2] = [user(20), assistant(20)];

    it("leaves the whole exchange out when it is out of reach", () => {
      expect(select([user(10), call, r1, r2, r3, u2, a2], 60).messages).toEqual([u2, a2]);
    });

    it("keeps the whole exchange, shortened, when more than half would stay unused", () => {
      const window = select([user(10), call, r1, r2, r3, u2, a2], 900);
      expect(window.startIndex).toBe(1);
      expect(window.messages.length).toBe(6);
      expect(window.shortened).toEqual([2, 3, 4]);
      expect(window.tokens).toBeGreaterThan(880);
      expect(window.tokens).toBeLessThanOrEqual(900);
      const [, ...results] = window.messages.slice(0, 4).map(countPlain);
      expect(Math.max(...results) - Math.min(...results)).toBeLessThan(5);
    });

    it("does so with results out of order and a note of the user between them", () => {
      const note = user(10);
      const messages = [user(10), call, r3, note, r1, r2, u2, a2];
      expect(select(messages, 60).messages).toEqual([note, u2, a2]);
      const window = select(messages, 900);
      expect(window.startIndex).toBe(1);
      expect(window.messages.map(({ answers }) => answers?.[0])).toEqual([
        undefined,
        "c3",
        undefined,
        "c1",
        "c2",
        undefined,
        undefined,
      ]);
      expect(findPairingProblems(window.messages, plainShape)).toEqual([]);
    });
  });

  it("SE-02 a pair that matches does not hide an orphan beside it", () => {
    const messages = [user(10), assistant(10, "b"), result("a", 10), result("b", 10), user(10)];
    const window = select(messages, 1_000);
    expect(window.messages).toEqual([messages[0], messages[1], messages[3], messages[4]]);
    expect(window.omitted).toEqual([{ index: 2, reason: "orphaned_result" }]);

    const mirrored = select([assistant(12, "a", "b"), result("a", 10)], 1_000);
    expect(mirrored.messages).toEqual([{ role: "assistant", text: tokens(10), calls: ["a"] }, result("a", 10)]);
    expect(mirrored.repaired).toEqual([0]);
  });

  it("SE-03 a request sent while calls are running holds no unanswered call, and the late answer finds its call", () => {
    const running = [user(10), assistant(12, "c1", "c2"), result("c1", 10)];
    expect(select(running, 1_000).messages[1]).toEqual({ role: "assistant", text: tokens(10), calls: ["c1"] });
    const landed = [...running, result("c2", 10)];
    expect(select(landed, 1_000).messages).toEqual(landed);
  });

  describe("SE-04 no hole in the window", () => {
    it("stops at a large message, shortened because it would leave most unused, and never skips it", () => {
      const messages = [assistant(60), user(40), assistant(9_000), user(50)];
      const window = select(messages, 1_000);
      expect(window.startIndex).toBe(2);
      expect(window.shortened).toEqual([2]);
      expect(window.messages[1]).toBe(messages[3]);
    });

    it("stops there without it when half is used", () => {
      const newest = user(600);
      expect(select([assistant(60), user(40), assistant(9_000), newest], 1_000).messages).toEqual([newest]);
    });

    it("treats a large tool result likewise", () => {
      const messages = [assistant(60), user(40), assistant(20, "c1"), result("c1", 9_000), user(50)];
      const window = select(messages, 1_000);
      expect([window.startIndex, window.shortened]).toEqual([2, [3]]);
      expect(window.messages[0]).toBe(messages[2]);
      expect(window.tokens).toBeGreaterThan(980);
    });
  });

  it("SC-01 an id that is used again in a later round pairs with the nearest call", () => {
    const [u1, a1, ra, a2, rb, u2] = [
      user(10),
      assistant(10, "call_0"),
      result("call_0", 10),
      assistant(11, "call_0"),
      result("call_0", 12),
      user(10),
    ];
    const messages = [u1, a1, ra, a2, rb, u2];
    expect(findPairingProblems(messages, plainShape)).toEqual([]);
    expect(select(messages, 33).messages).toEqual([a2, rb, u2]);
    expect(select(messages, 1_000).messages).toEqual(messages);
    expect(select(messages, 22).messages).toEqual([u2]);
  });

  it("SC-03 blank text, an answer that is only reasoning and a silent tool never reach the provider", () => {
    const messages = [
      { role: "assistant", content: [{ type: "text", text: " \n" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "…", signature: "s" },
          { type: "text", text: "" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: " " },
          { type: "tool_use", id: "c1", name: "bash", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "" }] },
    ];
    const countTokens = (message: object) => JSON.stringify(message).length;
    const window = selectTailWindow(messages, { budgetTokens: Infinity, countTokens, shape: anthropic });
    expect(window.messages).toEqual([
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "bash", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "(no output)" }] },
    ]);
    const again = selectTailWindow(messages.slice(0, 3), { budgetTokens: Infinity, countTokens, shape: anthropic });
    expect(again.messages).toEqual([]);
  });
});

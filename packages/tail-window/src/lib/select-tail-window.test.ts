import { describe, expect, it } from "vitest";
import { countPlain, type PlainMessage, plainShape, tokens } from "./fixtures/plain-message.ts";
import type { MessageShape } from "./message-shape.ts";
import { selectTailWindow } from "./select-tail-window.ts";
import type { SelectOptions } from "./tail-window.ts";

const user = (count: number, isInjected = false): PlainMessage => ({ role: "user", text: tokens(count), isInjected });
const assistant = (count: number, ...calls: string[]): PlainMessage => ({
  role: "assistant",
  text: tokens(count - calls.length),
  calls,
});
const result = (id: string, count: number): PlainMessage => ({ role: "tool", text: tokens(count - 1), answers: [id] });
const system = (count: number): PlainMessage => ({ role: "system", text: tokens(count) });

const select = (messages: readonly PlainMessage[], options: Partial<SelectOptions<PlainMessage>> = {}) =>
  selectTailWindow(messages, { budgetTokens: 100, countTokens: countPlain, shape: plainShape, ...options });

describe("selectTailWindow", () => {
  it("gives an empty window for an empty list, and the leading system messages alone for no budget", () => {
    expect(select([])).toEqual({ messages: [], tokens: 0, startIndex: 0, omitted: [], shortened: [], repaired: [] });
    const window = select([system(500), user(10)], { budgetTokens: 0 });
    expect([window.messages.length, window.tokens, window.startIndex]).toEqual([1, 0, 2]);
  });

  it("keeps leading system messages first, outside the budget, and treats later ones like any other", () => {
    const messages = [system(500), system(300), user(200), system(10), user(80)];
    const window = select(messages);
    expect(window.messages).toEqual([messages[0], messages[1], messages[3], messages[4]]);
    expect(window.tokens).toBe(90);
  });

  it("keeps a pinned message of the middle, paid out of the budget, in its place", () => {
    const messages = [user(90), system(20), user(90), system(5), assistant(40), user(30)];
    const window = select(messages, { pinned: ({ role }) => role === "system" });
    expect(window.messages).toEqual([messages[1], messages[3], messages[4], messages[5]]);
    expect([window.tokens, window.startIndex]).toEqual([95, 3]);
  });

  it("shortens a pinned message that does not fit, and ignores a pin on part of an exchange", () => {
    const window = select([system(400), user(5), system(400), user(5)].slice(1), {
      pinned: ({ role }) => role === "system",
    });
    expect(window.shortened).toEqual([1]);
    expect(window.tokens).toBeLessThanOrEqual(100);
    const exchange = [assistant(10, "c"), result("c", 80), user(60)];
    expect(select(exchange, { pinned: ({ role }) => role === "tool" }).messages).toEqual([exchange[2]]);
  });

  it("always keeps the newest message, shortened whatever its role", () => {
    for (const newest of [[user(900)], [assistant(900)], [assistant(20, "c"), result("c", 900)]]) {
      const window = select([user(10), ...newest]);
      expect(window.startIndex).toBe(1);
      expect(window.tokens).toBeGreaterThan(90);
      expect(window.tokens).toBeLessThanOrEqual(100);
    }
  });

  it("keeps the newest calls of an exchange whose shortest form is too long", () => {
    const ids = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const messages = [assistant(60, ...ids), ...ids.map((id) => result(id, 200))];
    const window = select(messages);
    expect(window.startIndex).toBe(0);
    expect(window.tokens).toBeLessThanOrEqual(100);
    const [call, ...results] = window.messages;
    expect(results.map(({ answers }) => answers?.[0])).toEqual(call?.calls);
    expect(call?.calls?.at(-1)).toBe("c39");
    expect(window.omitted.every(({ reason }) => reason === "budget")).toBe(true);
  });

  it("leaves a message out rather than exceed the budget when its shape cannot shorten it", () => {
    const shape: MessageShape<PlainMessage> = {
      role: plainShape.role,
      toolCallIds: plainShape.toolCallIds,
      toolResultIds: plainShape.toolResultIds,
    };
    expect(select([user(900)], { shape }).messages).toEqual([]);
    const unanswered = [user(5), assistant(10, "a", "b"), result("a", 5), user(5)];
    const window = select(unanswered, { shape });
    expect(window.messages).toEqual([unanswered[0], unanswered[3]]);
    expect(window.omitted).toEqual([
      { index: 1, reason: "unanswered_call" },
      { index: 2, reason: "orphaned_result" },
    ]);
  });

  it("says why a message inside the window is left out", () => {
    const messages = [
      user(5),
      { ...assistant(5, "a"), isDiscarded: true },
      result("a", 5),
      result("b", 5),
      { ...assistant(2, "c"), text: "" },
      { ...assistant(2), text: " " },
      user(5),
    ];
    expect(select(messages).omitted).toEqual([
      { index: 1, reason: "discarded" },
      { index: 2, reason: "discarded" },
      { index: 3, reason: "orphaned_result" },
      { index: 4, reason: "unanswered_call" },
      { index: 5, reason: "empty" },
    ]);
    const displaced = [assistant(90, "a"), user(5), result("a", 50), user(50)];
    expect(select(displaced).omitted).toEqual([{ index: 2, reason: "budget" }]);
  });

  it("repairs a list when the budget is infinite, and shortens nothing", () => {
    const messages = [result("gone", 5), user(50_000), assistant(5, "open")];
    expect(select(messages, { budgetTokens: Infinity }).messages).toEqual([messages[1], assistant(4)]);
  });
});

describe("the anchor", () => {
  const goal = user(20);
  const work = [assistant(10, "a"), result("a", 70), user(5, true), assistant(30, "b"), result("b", 30)];

  it("goes ahead of the window when the window does not hold the newest request", () => {
    const window = select([user(9), goal, ...work], { anchor: "latest-request" });
    expect(window.messages[0]).toBe(goal);
    expect([window.anchorIndex, window.startIndex, window.tokens]).toEqual([1, 4, 85]);
  });

  it("is the newest request that was not discarded", () => {
    const window = select([goal, ...work, { ...user(5), isDiscarded: true }], { anchor: "latest-request" });
    expect([window.messages[0], window.anchorIndex]).toEqual([goal, 0]);
  });

  it("is not repeated when the window holds it", () => {
    const window = select([user(9), goal, ...work], { anchor: "latest-request", budgetTokens: 300 });
    expect(window.anchorIndex).toBeUndefined();
    expect(window.messages.length).toBe(7);
  });

  it("is shortened to a third of the budget, to 20,000, or to what the caller allows", () => {
    const long = user(50_000);
    const shortened = (budgetTokens: number, anchorMaxTokens?: number) => {
      const window = select([long, assistant(10, "a"), result("a", budgetTokens)], {
        anchor: "latest-request",
        budgetTokens,
        anchorMaxTokens,
      });
      expect(window.tokens).toBeLessThanOrEqual(budgetTokens);
      expect(window.shortened).toEqual([0, 2]);
      return countPlain(window.messages[0] ?? long);
    };
    expect(shortened(300)).toBeLessThanOrEqual(100);
    expect(shortened(300)).toBeGreaterThan(90);
    expect(shortened(90_000)).toBeLessThanOrEqual(20_000);
    expect(shortened(90_000)).toBeGreaterThan(19_700);
    expect(shortened(300, 40)).toBeLessThanOrEqual(40);
  });

  it("may come from before the list, and may be named by its index", () => {
    const window = select(work, { anchor: { message: goal } });
    expect(window.messages[0]).toBe(goal);
    expect(window.anchorIndex).toBeUndefined();
    const behindSystem = select([system(9), ...work], { anchor: { message: goal } });
    expect(behindSystem.messages.slice(0, 2)).toEqual([system(9), goal]);
    expect(select([user(9), goal, ...work], { anchor: { index: 0 } }).anchorIndex).toBe(0);
  });

  it("is kept without the calls or results that the window does not hold with it", () => {
    const list = [assistant(10, "c"), { ...user(5), answers: ["c"] }, result("d", 300), user(60)];
    const asked = select([...list.slice(0, 1), result("c", 300), user(60)], { anchor: { index: 0 } });
    expect(asked.messages).toEqual([{ ...list[0], calls: [] }, user(60)]);
    const answered = select([assistant(300, "c"), ...list.slice(1)], { anchor: { index: 1 } });
    expect(answered.messages).toEqual([{ ...user(5), answers: [] }, user(60)]);
  });

  it("is not repeated when it is a leading system message or pinned", () => {
    const messages = [system(20), user(30), assistant(20)];
    for (const anchor of [{ index: 0 }, { index: 1 }]) {
      const window = select(messages, { anchor, pinned: ({ role }) => role === "user" });
      expect(window.messages).toEqual(messages);
      expect([window.tokens, window.anchorIndex]).toEqual([50, anchor.index === 0 ? 0 : undefined]);
    }
  });

  it("stays when nothing of the window can be kept beside it", () => {
    const narrow = [user(20), assistant(60)];
    const window = select(narrow, {
      anchor: "latest-request",
      budgetTokens: 64,
      shape: { ...plainShape, shorten: (message) => message },
    });
    expect([window.messages, window.anchorIndex, window.startIndex]).toEqual([[narrow[0]], 0, 2]);
  });
});

describe("cost", () => {
  const turn = (n: number) => [user(20), assistant(10, `c${n}`), result(`c${n}`, 40), assistant(30)];
  const history = Array.from({ length: 2_000 }, (_, n) => turn(n)).flat();

  const watch = (options: Partial<SelectOptions<PlainMessage>>) => {
    const read = new Set<number>();
    const counted = new Map<PlainMessage, number>();
    const watched = new Proxy(history, {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) read.add(Number(key));
        return Reflect.get(target, key, receiver);
      },
    });
    const countTokens = (message: PlainMessage) => {
      counted.set(message, (counted.get(message) ?? 0) + 1);
      return countPlain(message);
    };
    const window = select(watched, { countTokens, ...options });
    read.delete(0); // whether the list starts with a system message
    return { window, oldestRead: Math.min(...read), counts: [...counted.values()] };
  };

  it("reads nothing before the unit that ends the window, and counts every message once", () => {
    const { window, oldestRead, counts } = watch({ budgetTokens: 1_030 });
    expect(window.startIndex).toBe(7_959);
    expect(oldestRead).toBe(7_957);
    expect(counts).toEqual(Array(43).fill(1));
  });

  it("with an anchor reads back to the request and no further", () => {
    const { window, oldestRead } = watch({ budgetTokens: 64, anchor: "latest-request" });
    expect(window.anchorIndex).toBe(7_996);
    expect(oldestRead).toBe(7_996);
  });

  it("counts nothing twice when the window holds an anchor that would have to be shortened ahead of it", () => {
    const messages = [user(9), user(70), assistant(10)];
    const counted: PlainMessage[] = [];
    const countTokens = (message: PlainMessage) => {
      counted.push(message);
      return countPlain(message);
    };
    expect(select(messages, { anchor: "latest-request", countTokens }).messages).toEqual(messages);
    expect(counted.length).toBe(3);
  });

  it("counts a shortened message at most eight times more", () => {
    const messages = [
      user(5),
      { role: "assistant", text: tokens(3_000), calls: ["a", "b"] } as const,
      result("a", 5_000),
      result("b", 9_000),
    ];
    let counts = 0;
    const countTokens = (message: PlainMessage) => {
      counts += 1;
      return countPlain(message);
    };
    expect(select(messages, { budgetTokens: 600, countTokens }).shortened).toEqual([1, 2, 3]);
    expect(counts).toBeLessThanOrEqual(3 + 3 * 8);
  });
});

describe("misuse", () => {
  it.each([
    [-1, RangeError, "Invalid budgetTokens: -1"],
    [Number.NaN, RangeError, "Invalid budgetTokens: NaN"],
    ["100" as unknown as number, TypeError, "Invalid budgetTokens: 100"],
  ])("a budget of %s is refused by name", (budgetTokens, kind, message) => {
    expect(() => select([user(5)], { budgetTokens })).toThrow(new kind(message));
  });

  it("a counter that throws or returns no number of tokens is named with the message", () => {
    const messages = [user(5), user(6)];
    expect(() => select(messages, { countTokens: () => Number.NaN })).toThrow(
      new RangeError("Invalid countTokens of message 1: NaN"),
    );
    expect(() => select(messages, { countTokens: () => -2 })).toThrow(RangeError);
    const cause = new Error("no encoder");
    const failing = () => {
      throw cause;
    };
    expect(() => select(messages, { countTokens: failing })).toThrow(
      expect.objectContaining({ message: "Invalid countTokens of message 1: Error: no encoder", cause }),
    );
  });

  it("an unknown role is named with the message", () => {
    const odd = { role: "narrator", text: "x" } as unknown as PlainMessage;
    expect(() => select([user(5), odd, user(5)])).toThrow(new TypeError("Invalid role of message 1: narrator"));
  });

  it("an anchor that is not there is refused", () => {
    expect(() => select([user(5)], { anchor: { index: 3 } })).toThrow(new RangeError("Invalid anchor: 3"));
    expect(() => select([user(5)], { anchorMaxTokens: -1, anchor: "latest-request" })).toThrow(RangeError);
  });

  it("an input that cannot be changed is not changed", () => {
    const frozen = Object.freeze(
      [assistant(5, "a"), result("a", 900), user(5)].map((message) => Object.freeze(message)),
    );
    expect(select(frozen).shortened).toEqual([1]);
  });
});

import type { Message } from "@holdfast/message-schema";
import { describe, expect, test, vi } from "vitest";
import { createTokenCounter } from "./create-token-counter.ts";

function user(content: Message["content"], id = "u1"): Message {
  return { id, role: "user", content } as Message;
}

test("the default encoding is o200k_base, and an id names it", async () => {
  using byDefault = await createTokenCounter();
  using named = await createTokenCounter({ encoding: "cl100k_base" });
  expect([byDefault.id, named.id]).toEqual(["tiktoken:o200k_base", "tiktoken:cl100k_base"]);
  expect(byDefault.countText("数据库的备份由运维团队处理")).toBe(9);
  expect(named.countText("数据库的备份由运维团队处理")).toBe(12);
});

test("an unknown encoding is refused by name", async () => {
  await expect(createTokenCounter({ encoding: "gpt-9" as "o200k_base" })).rejects.toThrow(
    new TypeError('encoding must be "o200k_base" or "cl100k_base", got "gpt-9"'),
  );
});

test("what is no string is refused", async () => {
  using counter = await createTokenCounter();
  expect(() => counter.countText(undefined as unknown as string)).toThrow(
    new TypeError("the text to count must be a string, got undefined"),
  );
});

test("a list is the sum of its messages, and the empty list is 0", async () => {
  using counter = await createTokenCounter();
  const messages = [user("hello world"), user("again", "u2")];
  expect(counter.countMessages(messages)).toBe(4 + 2 + 4 + 1);
  expect(counter.countMessages([])).toBe(0);
});

describe("a message object is counted once", () => {
  /** A message that tells how often its content was read. */
  function watched(text: string): { message: Message; reads: () => number } {
    let reads = 0;
    const message = {
      id: "u1",
      role: "user",
      get content() {
        reads += 1;
        return text;
      },
    } as const;
    return { message, reads: () => reads };
  }

  test("a later turn reads its new messages only", async () => {
    using counter = await createTokenCounter();
    const history = Array.from({ length: 100 }, (_, index) => watched(`message ${index}`));
    const messages = history.map(({ message }) => message);
    const first = counter.countMessages(messages);
    const readsOfFirstCount = history.map(({ reads }) => reads());

    const added = user("hello world", "new");
    expect(counter.countMessages([...messages, added])).toBe(first + 4 + 2);
    expect(history.map(({ reads }) => reads())).toEqual(readsOfFirstCount);
  });

  test("a changed copy is a new message, and shares its parts with the old one", async () => {
    using counter = await createTokenCounter();
    const part = Object.freeze({ type: "text", text: "hello world" } as const);
    const before = Object.freeze(user(Object.freeze([part])));
    const after = Object.freeze(user(Object.freeze([part, Object.freeze({ type: "text", text: "again" } as const)])));
    expect(counter.countMessage(before)).toBe(4 + 2 + 2);
    expect(counter.countMessage(after)).toBe(4 + 2 + 2 + 2 + 1);
    expect(counter.countMessage(before)).toBe(4 + 2 + 2);
  });

  test("counters do not share what they remember", async () => {
    using o200k = await createTokenCounter({ encoding: "o200k_base" });
    using cl100k = await createTokenCounter({ encoding: "cl100k_base" });
    const message = user("数据库的备份由运维团队处理");
    expect([o200k.countMessage(message), cl100k.countMessage(message)]).toEqual([4 + 9, 4 + 12]);
  });
});

describe("after dispose", () => {
  test("counting throws, also for a message that was counted before", async () => {
    const counter = await createTokenCounter();
    const message = user("hello");
    counter.countMessage(message);
    counter.dispose();
    counter.dispose();
    const disposed = new Error("the token counter tiktoken:o200k_base is disposed of");
    expect(() => counter.countText("hello")).toThrow(disposed);
    expect(() => counter.countMessage(message)).toThrow(disposed);
    expect(() => counter.countMessages([message])).toThrow(disposed);
    expect(() => counter.countMessages([])).toThrow(disposed);
  });

  test("`using` disposes of a counter, and of no other one of the same encoding", async () => {
    using other = await createTokenCounter();
    let counter: Awaited<ReturnType<typeof createTokenCounter>>;
    {
      using inner = await createTokenCounter();
      counter = inner;
      expect(inner.countText("hello")).toBe(1);
    }
    expect(() => counter.countText("hello")).toThrow();
    expect(other.countText("hello")).toBe(1);
  });
});

test("nothing is loaded before the first counter is made", async () => {
  vi.resetModules();
  const load = vi.fn(() => ({ default: { bpe_ranks: "! 0 YQ== Yg==" } }));
  vi.doMock("tiktoken/encoders/o200k_base", load);
  const { createTokenCounter } = await import("../index.ts");
  expect(load).not.toHaveBeenCalled();
  const counter = await createTokenCounter();
  expect(load).toHaveBeenCalledOnce();
  expect(counter.countText("ab")).toBe(2);
  vi.doUnmock("tiktoken/encoders/o200k_base");
  vi.resetModules();
});

import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { getFallbackPolicy } from "@holdfast/fallback-policy";
import { createTokenCounter } from "@holdfast/token-counter";
import { expect, test } from "vitest";
import { createCompactor } from "./compactor.ts";
import { conversation, counter, failing, good, sent, setup } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

const complete = async () => good;
const usable = {
  model: { contextWindow: 32_000, maxOutputTokens: 4000 },
  summaryModel: { contextWindow: 32_000, maxOutputTokens: 2000, complete },
  counter,
  store: createMemoryStore(),
  conversationId: "c",
};

const mistakes: [string, Record<string, unknown>, Error][] = [
  ["no model", { model: undefined }, new TypeError("model must be an object, got undefined")],
  ["a model's name", { model: "gpt-9" }, new TypeError('model must be an object, got "gpt-9"')],
  ["an id that is no text", { model: { modelId: 7 } }, new TypeError("model.modelId must be a string, got 7")],
  [
    "no summary model",
    { summaryModel: undefined },
    new TypeError("summaryModel must be an object with complete, got undefined"),
  ],
  [
    "a summary model that cannot be asked",
    { summaryModel: { contextWindow: 32_000, maxOutputTokens: 2000 } },
    new TypeError("summaryModel.complete must be a function, got undefined"),
  ],
  [
    "a counter that was not awaited",
    { counter: createTokenCounter() },
    new TypeError("counter must be an object with countText and countMessage, got a promise (is an await missing?)"),
  ],
  [
    "half a counter",
    { counter: { countText: counter.countText } },
    new TypeError("counter.countMessage must be a function, got undefined"),
  ],
  ["a path for a store", { store: "/x" }, new TypeError('store must be an object with append and list, got "/x"')],
  [
    "a store that cannot be read",
    { store: { append: () => undefined } },
    new TypeError("store.list must be a function, got undefined"),
  ],
  [
    "no conversation",
    { conversationId: undefined },
    new TypeError("conversationId must be a string that is not empty, got undefined"),
  ],
  [
    "a conversation without a name",
    { conversationId: "" },
    new TypeError('conversationId must be a string that is not empty, got ""'),
  ],
  [
    "an unknown strategy",
    { strategy: "zap" },
    new RangeError('strategy must be "summary" or "fresh_window", got "zap"'),
  ],
  [
    "an unknown policy",
    { policy: "recent-window@9" },
    new RangeError(
      'no fallback policy "recent-window@9"; there is latest-user@1, recent-window@2, recent-window-ledger@3',
    ),
  ],
  [
    "a policy that builds nothing",
    { policy: { id: "own@1" } },
    new TypeError(
      "policy must be the id of a published policy or what definePolicy returns, got an object with the fields id",
    ),
  ],
  [
    "instructions in a list",
    { instructions: ["be brief"] },
    new TypeError("instructions must be a string, got an array"),
  ],
  [
    "a clock that only tells the time",
    { clock: Date },
    new TypeError("clock must be an object with now and sleep, got a function"),
  ],
  ["a number for random", { random: 4 }, new TypeError("random must be a function, got 4")],
];

test.each(mistakes)("%s: refused by name when the compactor is made", (_, mistake, error) => {
  expect(() => createCompactor({ ...usable, ...mistake })).toThrow(error);
});

test("no options at all are refused by name", () => {
  expect(() => createCompactor(undefined as never)).toThrow(new TypeError("options must be an object, got undefined"));
});

test("a policy is pinned by its id, and by the policy itself", async () => {
  for (const policy of ["latest-user@1", getFallbackPolicy("latest-user@1")] as const) {
    const { compactor } = setup(failing, { policy });
    const { compaction } = sent(await compactor.prepareRequest({ messages: conversation(24) }));
    expect(compaction).toMatchObject({ outcome: "fallback", policy: "latest-user@1" });
    expect(compaction?.checkpoint?.details.policy).toBe("latest-user@1");
  }
});

const miscounts: [string, unknown, Error][] = [
  [
    "is asynchronous",
    Promise.resolve(5),
    new TypeError(
      "counter.countMessage must return a number of tokens, 0 or more, got a promise (is an await missing?)",
    ),
  ],
  ["counts NaN", Number.NaN, new RangeError("counter.countMessage must return a number of tokens, 0 or more, got NaN")],
  ["counts below zero", -1, new RangeError("counter.countMessage must return a number of tokens, 0 or more, got -1")],
  [
    "counts nothing",
    undefined,
    new TypeError("counter.countMessage must return a number of tokens, 0 or more, got undefined"),
  ],
];

test.each(miscounts)(
  "a counter that %s lets no request out without a limit: it is refused by name",
  async (_, count, error) => {
    const miscounting = { ...counter, countMessage: () => count as number };
    const { compactor } = setup(() => good, { counter: miscounting });
    await expect(compactor.prepareRequest({ messages: transcriptOf("u1") })).rejects.toThrow(error);
  },
);

test("an overhead that is counted as NaN is refused by name", async () => {
  const { compactor } = setup(() => good, { counter: { ...counter, countText: () => Number.NaN } });
  await expect(compactor.prepareRequest({ messages: transcriptOf("u1"), system: "Help." })).rejects.toThrow(
    new RangeError("counter.countText must return a number of tokens, 0 or more, got NaN"),
  );
});

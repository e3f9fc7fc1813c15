import type { Message } from "@holdfast/message-schema";
import { createTokenCounter, type TokenCounter } from "@holdfast/token-counter";
import { beforeAll, describe, expect, it } from "vitest";
import { assistant, exchange, user } from "./fixtures/conversation.ts";
import { planSummary, type SummaryPlan } from "./plan-summary.ts";

let counter: TokenCounter;
beforeAll(async () => {
  counter = await createTokenCounter();
});

/** 8,000 less two summaries of 1,000, a margin of 500, 455 of prompt and 250 for files: 4,795 for the range. */
const small = { contextWindow: 8000, maxOutputTokens: 1000 };

/** Messages of 398 tokens: twelve of them fill a request of 4,795. */
function messagesOf398(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => user(`m${index}`, "word ".repeat(395)));
}

function plan(messages: readonly Message[], options: Partial<Parameters<typeof planSummary>[1]> = {}): SummaryPlan {
  return planSummary(messages, { counter, model: small, ...options });
}

function linkCount(messages: readonly Message[], model = small): number {
  const planned = plan(messages, { model });
  return planned.ok ? planned.links.length : 0;
}

describe("the budget of a request", () => {
  it("is what the formula leaves of a small and of a large window", () => {
    expect(plan(messagesOf398(1)).limits).toEqual({
      summaryMax: 1000,
      maxOutputTokens: 1000,
      fileListMax: 250,
      requestBudget: 4795,
    });
    expect(plan(messagesOf398(1), { model: { contextWindow: 200_000, maxOutputTokens: 64_000 } }).limits).toEqual({
      summaryMax: 8192,
      maxOutputTokens: 8192,
      fileListMax: 2048,
      requestBudget: 171_113,
    });
  });

  it("keeps the output cap within the bound the caller gives, and stays the same for the range", () => {
    const { limits } = plan(messagesOf398(1), { maxSummaryTokens: 600 });
    expect(limits).toEqual({ summaryMax: 1000, maxOutputTokens: 600, fileListMax: 150, requestBudget: 4795 });
  });

  it("pays for the caller's instructions", () => {
    const { limits } = plan(messagesOf398(1), { instructions: "Write down every port number that was mentioned." });
    expect(limits.requestBudget).toBe(4795 - 17);
  });

  it("under 512 tokens is summary_budget", () => {
    expect(plan(messagesOf398(1), { model: { contextWindow: 3488, maxOutputTokens: 4000 } })).toMatchObject({
      ok: false,
      reason: "summary_budget",
    });
    expect(plan(messagesOf398(1), { model: { contextWindow: 3489, maxOutputTokens: 4000 } }).ok).toBe(true);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses a window of %d and names it", (contextWindow) => {
    expect(() => plan(messagesOf398(1), { model: { contextWindow, maxOutputTokens: 100 } })).toThrow(
      new RangeError(`contextWindow must be a positive number, got ${contextWindow}`),
    );
  });
});

describe("a plan", () => {
  it("SU-05 takes 1, 2 or 16 requests where so many hold the range, and none where 17 would be needed", () => {
    expect(linkCount(messagesOf398(12))).toBe(1);
    expect(linkCount(messagesOf398(13))).toBe(2);
    expect(linkCount(messagesOf398(24))).toBe(2);
    expect(linkCount(messagesOf398(192))).toBe(16);
    expect(plan(messagesOf398(193))).toMatchObject({ ok: false, reason: "summary_budget" });
  });

  it("is JSON that says what each request holds", () => {
    const planned = plan(messagesOf398(13));
    expect(JSON.parse(JSON.stringify(planned))).toEqual(planned);
    expect(planned).toEqual({
      ok: true,
      promptVersion: "holdfast-summary@1",
      rendering: "full",
      tokens: 13 * 398,
      limits: { summaryMax: 1000, maxOutputTokens: 1000, fileListMax: 250, requestBudget: 4795 },
      links: [
        { tokens: 12 * 398, first: "m0", last: "m11", startsInside: false, endsInside: false },
        { tokens: 398, first: "m12", last: "m12", startsInside: false, endsInside: false },
      ],
      files: { readFiles: [], modifiedFiles: [] },
    });
  });

  it("has no request for an empty range, or for one with nothing to read", () => {
    expect(plan([])).toMatchObject({ ok: false, reason: "no_new_history" });
    expect(plan([user("u", " \n"), assistant("a", "")])).toMatchObject({ ok: false, reason: "no_new_history" });
  });

  it("asks for a range of a single word", () => {
    expect(linkCount([user("u", "Hi")])).toBe(1);
  });

  it("splits one message over as many requests as it needs, and refuses one of 40", () => {
    const words = (budgets: number) => [user("u", "word ".repeat(4700 * budgets))];
    const planned = plan(words(10));
    expect(planned).toMatchObject({ ok: true, rendering: "full" });
    expect(planned.ok && planned.links.map((link) => [link.startsInside, link.endsInside])).toEqual([
      [false, true],
      ...Array.from({ length: 8 }, () => [true, true]),
      [true, false],
    ]);
    expect(plan(words(40))).toMatchObject({ ok: false, reason: "summary_budget" });
    // A window five times as large: the same message is eight requests.
    expect(linkCount(words(40), { contextWindow: 32_000, maxOutputTokens: 2000 })).toBe(8);
  });

  it("splits a text without a single space exactly as well", () => {
    const blob = [user("u", "x".repeat(240_000))];
    // Eight x are a token: 30,000 tokens are seven requests of 4,795 at least.
    expect(linkCount(blob)).toBe(7);
  });

  it("asks once for a run that one request holds, and 16 times for 16 of them", () => {
    const blob = "x".repeat(35_900);
    expect(counter.countText(`[user]\n${blob}\n\n`)).toBe(4491);
    const blobs = Array.from({ length: 16 }, (_, index) => user(`m${index}`, blob));
    expect(linkCount(blobs.slice(0, 1))).toBe(1);
    expect(linkCount(blobs)).toBe(16);
  });

  it("fills requests with runs of letters that are three tokens each", () => {
    const word = (index: number) =>
      Array.from({ length: 1000 }, (_, at) => String.fromCharCode(0x3400 + ((index * 389 + at * 7) % 6000))).join("");
    const range = [user("u", Array.from({ length: 17 }, (_, index) => word(index)).join(" "))];
    const planned = plan(range, { model: { contextWindow: 8000, maxOutputTokens: 1024 } });
    expect(counter.countText(`[user]\n${range[0]?.content}\n\n`) / planned.limits.requestBudget).toBeGreaterThan(10);
    expect(planned.ok && planned.links.length).toBeLessThanOrEqual(12);
  });

  it("holds 5,000 tiny messages in no more requests than it must", () => {
    const tiny = Array.from({ length: 5000 }, (_, index) => user(`m${index}`, `step ${index}`));
    // 6 tokens each, 7 from number 1,000 on: 34,000 tokens are eight requests of 4,795 at least.
    expect(counter.countText("[user]\nstep 123\n\n")).toBe(6);
    expect(linkCount(tiny)).toBe(8);
  });

  it("FB-01 asks for a range made only of tool results", () => {
    const results = Array.from(
      { length: 40 },
      (_, index) => exchange(`c${index}`, "bash", {}, "line\n".repeat(300))[1],
    );
    const planned = plan(results.filter((message) => message !== undefined));
    expect(planned.ok && planned.links.length).toBeGreaterThan(1);
  });

  it("shows less of the results and no reasoning when only that fits one request", () => {
    const results = Array.from({ length: 10 }, (_, index) =>
      exchange(`c${index}`, "bash", {}, "line ".repeat(900)),
    ).flat();
    expect(plan(results)).toMatchObject({ ok: true, rendering: "full", links: [{}] });
    const more = [...results, ...results.map((message) => ({ ...message, id: `${message.id}-2` }))];
    const planned = plan(more);
    expect(planned).toMatchObject({ ok: true, rendering: "reduced", links: [{ first: "c0-call" }] });
  });

  it("reads reasoning alone in chunks: a rendering that shows nothing of it is no fit", () => {
    const thinking = (words: number): Message => ({
      id: "a",
      role: "assistant",
      content: [{ type: "thinking", thinking: "word ".repeat(words) }],
      stopReason: "aborted",
    });
    expect(plan([thinking(9000)])).toMatchObject({ ok: true, rendering: "full", links: [{}, {}] });
    expect(plan([thinking(90_000)])).toMatchObject({ ok: false, reason: "summary_budget" });
  });

  it("cuts the full rendering where 16 requests hold it, and the reduced one where only that is held", () => {
    const results = (count: number) =>
      Array.from({ length: count }, (_, index) => exchange(`c${index}`, "bash", {}, "line ".repeat(900))).flat();
    expect(plan(results(150))).toMatchObject({ ok: true, rendering: "full" });
    expect(plan(results(300))).toMatchObject({ ok: true, rendering: "reduced" });
    expect(plan(results(900))).toMatchObject({ ok: false, reason: "summary_budget" });
  });
});

describe("the end of a chunk", () => {
  /** An exchange of `words` words in its result, after `before` words of the user. */
  function range(before: number, words: number): Message[] {
    return [
      user("u", "word ".repeat(before)),
      ...exchange("c", "bash", {}, "word ".repeat(words)),
      user("next", "word ".repeat(900)),
    ];
  }

  it("moves back to a break between exchanges when at most 1/16 of the chunk stays empty", () => {
    const planned = plan(range(4600, 395));
    expect(planned.ok && planned.links.map(({ first, last, startsInside }) => ({ first, last, startsInside }))).toEqual(
      [
        { first: "u", last: "u", startsInside: false },
        { first: "c-call", last: "next", startsInside: false },
      ],
    );
  });

  it("stays inside the exchange when more would stay empty, and the next chunk goes on there", () => {
    const planned = plan(range(4400, 395));
    expect(planned.ok && planned.links.map(({ last, endsInside }) => ({ last, endsInside }))).toEqual([
      { last: "c-result", endsInside: true },
      { last: "next", endsInside: false },
    ]);
  });

  it("stays where it is when moving back would take more than 16 requests", () => {
    // Two messages of 2,250 tokens leave less than 1/16 of 4,795 empty: 33 of them would take 17 requests.
    const range = Array.from({ length: 33 }, (_, index) => user(`m${index}`, "word ".repeat(2247)));
    const planned = plan(range);
    expect(planned.ok && planned.tokens - 33 * 2250).toBeLessThan(16 * 12);
    expect(planned.ok && planned.links).toHaveLength(16);
    expect(planned.ok && planned.links[0]).toMatchObject({ last: "m2", endsInside: true });
  });

  it("moves back to a break between messages where no break between exchanges is near", () => {
    const ids = ["c1", "c2", "c3", "c4", "c5", "c6"];
    const calls: Message = {
      id: "a",
      role: "assistant",
      content: ids.map((id) => ({ type: "toolCall", id, name: "bash", arguments: {} })),
      stopReason: "toolUse",
    };
    const result = (id: string): Message => ({
      id: `r-${id}`,
      role: "toolResult",
      toolCallId: id,
      toolName: "bash",
      content: [{ type: "text", text: "word ".repeat(90) }],
      isError: false,
    });
    const planned = plan([user("u", "word ".repeat(4400)), calls, ...ids.map(result), user("n", "Go on")]);
    expect(planned.ok && planned.links.map(({ last, endsInside }) => ({ last, endsInside }))).toEqual([
      { last: "r-c3", endsInside: false },
      { last: "n", endsInside: false },
    ]);
  });
});

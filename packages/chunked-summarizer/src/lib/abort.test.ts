import { describe, expect, it } from "vitest";
import { createScriptedSummaryModel, createVirtualClock, type SummaryStep } from "../testing.ts";
import { summaryOf, user } from "./fixtures/conversation.ts";
import { summarizeRange } from "./summarize-range.ts";
import type { SummaryModel } from "./summary-model.ts";

const counter = { countText: (text: string) => Math.ceil(text.length / 4) };
const small = { contextWindow: 8000, maxOutputTokens: 1000 };
const threeLinks = Array.from({ length: 9 }, (_, index) => user(`m${index}`, "word ".repeat(1180)));
const usage = { inputTokens: 1000, outputTokens: 50 };

/** Aborts while the model plays step `at`, counted from 0, or before anything is sent. */
async function abortDuring(at: number | "start", steps: readonly SummaryStep[]) {
  const abort = new AbortController();
  const aborting = (step: SummaryStep) => () => {
    abort.abort();
    return step;
  };
  const model = createScriptedSummaryModel(
    steps.map((step, index) => (index === at ? aborting(step) : step)),
    small,
  );
  if (at === "start") abort.abort();
  const clock = createVirtualClock();
  const result = await summarizeRange(threeLinks, { model, counter, clock, signal: abort.signal });
  return { result, model, clock };
}

describe("RT-05 an abort", () => {
  it("before the first request: nothing is sent", async () => {
    const { result, model } = await abortDuring("start", []);
    expect(result).toEqual({ aborted: true, usage: null, requests: 0 });
    expect(model.requests).toHaveLength(0);
  });

  it("while the host hears of the first request: nothing is sent and nothing was used", async () => {
    const abort = new AbortController();
    const model = createScriptedSummaryModel([], small);
    const result = await summarizeRange(threeLinks, {
      model,
      counter,
      clock: createVirtualClock(),
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    expect(result).toEqual({ aborted: true, usage: null, requests: 0 });
    expect(model.requests).toHaveLength(0);
  });

  it("during a request: it is stopped, and nothing more is sent", async () => {
    const { result, model, clock } = await abortDuring(1, [{ text: summaryOf("a"), usage }, { hang: true }]);
    expect(result).toEqual({ aborted: true, usage: { ...usage, incomplete: true }, requests: 2 });
    expect(model.signals.at(1)?.aborted).toBe(true);
    expect(clock.waited).toEqual([]);
  });

  it("between links: an answer that came with the abort is not used", async () => {
    const { result, model } = await abortDuring(1, [summaryOf("a"), { text: summaryOf("b"), usage }]);
    expect(result).toMatchObject({ aborted: true, requests: 2 });
    expect(model.requests).toHaveLength(2);
  });

  it("is no failure of the provider where the model hears of it before the clock does", async () => {
    const abort = new AbortController();
    const abortSoon = (): SummaryStep => {
      setImmediate(() => abort.abort());
      return { hang: true };
    };
    const model = createScriptedSummaryModel([abortSoon], small);
    const sleep = async (_ms: number, signal?: AbortSignal) => {
      await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
      await new Promise((resolve) => setImmediate(resolve));
      throw signal?.reason;
    };
    const result = await summarizeRange([user("u", "Hi")], {
      model,
      counter,
      clock: { now: () => 0, sleep },
      signal: abort.signal,
    });
    expect(result).toMatchObject({ aborted: true, requests: 1 });
  });

  it("between two sendings of one link: the wait ends at once", async () => {
    const abort = new AbortController();
    const model = createScriptedSummaryModel([{ fail: "transport", status: 503 }], small);
    const clock = createVirtualClock();
    const sleep = (ms: number, signal?: AbortSignal) => {
      if (ms < 60_000) abort.abort();
      return clock.sleep(ms, signal);
    };
    const result = await summarizeRange(threeLinks, {
      model,
      counter,
      clock: { now: clock.now, sleep },
      signal: abort.signal,
    });
    expect(result).toMatchObject({ aborted: true, requests: 1 });
    expect(clock.waited).toEqual([]);
  });

  it("resolves at once also when the model does not listen", async () => {
    const abort = new AbortController();
    const deaf: SummaryModel = {
      ...small,
      complete: () => {
        abort.abort();
        return new Promise(() => {});
      },
    };
    const result = await summarizeRange(threeLinks, {
      model: deaf,
      counter,
      clock: createVirtualClock(),
      signal: abort.signal,
    });
    expect(result).toMatchObject({ aborted: true, requests: 1 });
  });

  it("afterwards leaves nothing behind: no listener on the signal", async () => {
    const abort = new AbortController();
    let listeners = 0;
    const add = abort.signal.addEventListener.bind(abort.signal);
    const remove = abort.signal.removeEventListener.bind(abort.signal);
    abort.signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    abort.signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    const model = createScriptedSummaryModel(["a", "b", "c"].map(summaryOf), small);
    const result = await summarizeRange(threeLinks, {
      model,
      counter,
      clock: createVirtualClock(),
      signal: abort.signal,
    });
    expect(result).toMatchObject({ ok: true, requests: 3 });
    expect(listeners).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { createScriptedSummaryModel, createVirtualClock } from "../testing.ts";
import { SummaryModelError } from "./summary-model-error.ts";

const request = { system: "s", prompt: "p", maxOutputTokens: 100 };
const { signal } = new AbortController();

describe("a scripted model", () => {
  it("plays its steps in order and records the requests", async () => {
    const clock = createVirtualClock();
    const model = createScriptedSummaryModel(
      ["one", { text: "two", stopReason: "length", delayMs: 3000 }, ({ prompt }, index) => `${prompt} ${index}`],
      { clock, contextWindow: 1000, maxOutputTokens: 200 },
    );
    expect(model).toMatchObject({ contextWindow: 1000, maxOutputTokens: 200, remaining: 3 });
    expect(await model.complete(request, { signal })).toEqual({ text: "one", stopReason: "stop" });
    expect(await model.complete(request, { signal })).toEqual({ text: "two", stopReason: "length" });
    expect(clock.now()).toBe(3000);
    expect(await model.complete(request, { signal })).toEqual({ text: "p 2", stopReason: "stop" });
    expect(model).toMatchObject({ requests: [request, request, request], remaining: 0 });
  });

  it("fails as it is told, with the text that a broken stream had brought in its cause alone", async () => {
    const model = createScriptedSummaryModel([
      { fail: "transport", status: 429, retryAfterMs: 500, streamed: "half a summ" },
      { throws: new TypeError("mine") },
    ]);
    const failure = await model.complete(request, { signal }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SummaryModelError);
    expect(failure).toMatchObject({ kind: "transport", status: 429, retryAfterMs: 500 });
    expect(failure).toHaveProperty("cause.message", "the stream broke after: half a summ");
    expect(String(failure)).toBe("SummaryModelError: summary request failed: transport");
    await expect(model.complete(request, { signal })).rejects.toThrow(new TypeError("mine"));
  });

  it("hangs until the signal ends it", async () => {
    const abort = new AbortController();
    const model = createScriptedSummaryModel([{ hang: true }]);
    const answer = model.complete(request, { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    expect(model.signals).toEqual([abort.signal]);
  });

  it("refuses and reports a request that was not expected", async () => {
    const unexpected: string[] = [];
    const model = createScriptedSummaryModel([], { onUnexpectedRequest: (error) => unexpected.push(error.message) });
    const message = "request 1 was not expected: the script has 0 steps";
    await expect(model.complete(request, { signal })).rejects.toThrow(message);
    expect(unexpected).toEqual([message]);
    expect(model.requests).toEqual([request]);
  });
});

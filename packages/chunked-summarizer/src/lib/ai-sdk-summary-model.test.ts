import { randomUUID } from "node:crypto";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { MockLanguageModelV3 } from "ai/test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAiSdkSummaryModel } from "../ai-sdk.ts";
import type { Clock } from "./clock.ts";
import { assistant, summaryOf, user } from "./fixtures/conversation.ts";
import {
  type Answer,
  answer,
  completionBody,
  hang,
  type OpenAiServer,
  resetAfter,
  startOpenAiServer,
} from "./fixtures/openai-server.ts";
import type { SummarizeOptions, SummaryProgress } from "./summarize-options.ts";
import { summarizeRange } from "./summarize-range.ts";
import type { SummaryResult } from "./summary-result.ts";

const counter = { countText: (text: string) => Math.ceil(text.length / 4) };
const range = [user("u1", "Write a parser."), assistant("a1", "Done."), user("u2", "Now test it.")];

/**
 * Waits for nothing and notes every wait. A deadline never passes, or, where the server hangs, passes as soon as the
 * server has the request.
 */
function testClock({ hangs = false } = {}) {
  const waited: number[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      if (hangs) await server?.nextRequest();
      else if (ms > 60_000) await untilAborted(signal);
      now += ms;
      waited.push(ms);
    },
  };
  return { clock, waited };
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

let server: OpenAiServer | undefined;
const logs = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Outcome {
  readonly result: SummaryResult;
  readonly requests: number;
  readonly waited: readonly number[];
}

/** Summarizes against a server whose bodies all hold `word`, and checks that the word is nowhere else. */
async function summarizeWith(
  word: string,
  answers: readonly Answer[],
  options: Partial<SummarizeOptions> & { readonly hangs?: boolean } = {},
): Promise<Outcome> {
  server = await startOpenAiServer(answers);
  const provider = createOpenAICompatible({ name: "local", baseURL: server.baseUrl, apiKey: "none" });
  const model = createAiSdkSummaryModel(provider("test"), { contextWindow: 32_000, maxOutputTokens: 4000 });
  const { clock, waited } = testClock(options);
  const events: SummaryProgress[] = [];
  const result = await summarizeRange(range, {
    model,
    counter,
    clock,
    random: () => 0,
    onProgress: (progress) => events.push(progress),
    ...options,
  });
  expect(JSON.stringify({ result, events, logs: logs.map((log) => log.mock.calls) })).not.toContain(word);
  return { result, requests: server.requests.length, waited };
}

const failed = (requests: number) => ({
  ok: false,
  reason: "summary_provider",
  usage: { inputTokens: 0, outputTokens: 0, incomplete: true },
  requests,
  promptVersion: "holdfast-summary@1",
});
const errorBody = (message: string, word: string, code: string | null = null) =>
  JSON.stringify({ error: { message: `${message} ${word}`, type: "server_error", code, param: word } });
const good = (word: string) => answer(200, completionBody(word, { text: summaryOf("Ship") }));

describe("a summary through the AI SDK and a server that", () => {
  it("answers: one request, without tools, with the output cap and the usage", async () => {
    const word = randomUUID();
    const { result, requests } = await summarizeWith(word, [good(word)]);
    expect(result).toEqual({
      ok: true,
      summary: summaryOf("Ship"),
      usage: { inputTokens: 900, outputTokens: 40, incomplete: false },
      requests: 1,
      coveredThrough: "u2",
      files: { readFiles: [], modifiedFiles: [] },
      promptVersion: "holdfast-summary@1",
    });
    expect(requests).toBe(1);
    expect(server?.requests[0]?.tools).toBeUndefined();
    expect(server?.requests[0]?.max_tokens).toBe(2000);
    expect(server?.requests[0]?.messages.map((message) => message.role)).toEqual(["system", "user"]);
  });

  it("limits the rate without saying for how long: four requests, 2, 4 and 8 s apart", async () => {
    const word = randomUUID();
    const outcome = await summarizeWith(word, [answer(429, errorBody("Rate limit reached", word))]);
    expect(outcome).toEqual({ result: failed(4), requests: 4, waited: [2000, 4000, 8000] });
  });

  it("limits the rate for 7 s, then answers: the wait is the one asked for", async () => {
    const word = randomUUID();
    const busy = answer(429, errorBody("Rate limit reached", word), { "retry-after": "7" });
    const { result, requests, waited } = await summarizeWith(word, [busy, good(word)]);
    expect(result).toMatchObject({ ok: true, requests: 2, usage: { incomplete: true } });
    expect({ requests, waited }).toEqual({ requests: 2, waited: [7000] });
  });

  it("asks to wait for an hour: a minute is enough", async () => {
    const word = randomUUID();
    const busy = answer(429, errorBody("Rate limit reached", word), { "retry-after": "3600" });
    expect((await summarizeWith(word, [busy, good(word)])).waited).toEqual([60_000]);
  });

  it("says when to come back as a date: the wait lasts until then", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 12, 0, 0) });
    try {
      const word = randomUUID();
      const busy = answer(429, errorBody("Busy", word), { "retry-after": "Mon, 05 Jan 2026 12:00:09 GMT" });
      expect((await summarizeWith(word, [busy, good(word)])).waited).toEqual([9000]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("says it in milliseconds: that is the wait", async () => {
    const word = randomUUID();
    const busy = answer(429, errorBody("Busy", word), { "retry-after-ms": "1500", "retry-after": "7" });
    expect((await summarizeWith(word, [busy, good(word)])).waited).toEqual([1500]);
  });

  it.each([
    ["", ""],
    ["0", "0"],
    ["-3", "-3"],
    ["Mon, 05 Jan 1998 12:00:09 GMT", ""],
    ["soon", "soon"],
  ])("names no time to come, %j and %j ms: 2, 4 and 8 s", async (seconds, milliseconds) => {
    const word = randomUUID();
    const headers = { "retry-after": seconds, "retry-after-ms": milliseconds };
    const outcome = await summarizeWith(word, [answer(429, errorBody("Busy", word), headers)]);
    expect(outcome.waited).toEqual([2000, 4000, 8000]);
  });

  it.each([408, 409, 500, 503])("answers %i: four requests", async (status) => {
    const word = randomUUID();
    const outcome = await summarizeWith(word, [answer(status, errorBody("Internal error", word))]);
    expect(outcome).toEqual({ result: failed(4), requests: 4, waited: [2000, 4000, 8000] });
  });

  it("hangs: two requests of two minutes each, and no socket stays open", async () => {
    const word = randomUUID();
    const { result, requests, waited } = await summarizeWith(word, [hang], { hangs: true });
    expect(result).toEqual(failed(2));
    expect({ requests, waited }).toEqual({ requests: 2, waited: [120_000, 60_000] });
    await vi.waitFor(() => expect(server?.socketsInUse()).toBe(0));
  });

  it("breaks the connection inside the body: four requests, and nothing of the half answer is kept", async () => {
    const word = randomUUID();
    const body = completionBody(word, { text: summaryOf(`Half ${word}`) });
    const outcome = await summarizeWith(word, [resetAfter(body)]);
    expect(outcome).toEqual({ result: failed(4), requests: 4, waited: [2000, 4000, 8000] });
  });

  it("answers with malformed JSON: four requests", async () => {
    const word = randomUUID();
    const outcome = await summarizeWith(word, [answer(200, `{"choices": [{"message": "${word}`)]);
    expect(outcome).toEqual({ result: failed(4), requests: 4, waited: [2000, 4000, 8000] });
  });

  it("has a smaller window than it says: one new plan, then summary_budget", async () => {
    const word = randomUUID();
    const message =
      "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";
    const outcome = await summarizeWith(word, [answer(400, errorBody(message, word, "context_length_exceeded"))]);
    expect(outcome).toEqual({ result: { ...failed(2), reason: "summary_budget" }, requests: 2, waited: [] });
  });

  it("filters the content: one request", async () => {
    const word = randomUUID();
    const outcome = await summarizeWith(word, [answer(400, errorBody("Filtered", word, "content_filter"))]);
    expect(outcome).toEqual({ result: failed(1), requests: 1, waited: [] });
  });

  it.each([400, 401, 403, 404, 413])("answers %i: one request", async (status) => {
    const word = randomUUID();
    const outcome = await summarizeWith(word, [answer(status, errorBody("No", word))]);
    expect(outcome).toEqual({ result: failed(1), requests: 1, waited: [] });
  });

  it.each([
    ["answers with blank text", { text: " \n" }],
    ["answers with a text cut by the output limit", { text: `${summaryOf("Ship")} half`, finishReason: "length" }],
    ["declines in words", { text: "I am sorry, but I cannot help with that." }],
    ["declines by its filter", { text: summaryOf("Ship"), finishReason: "content_filter" }],
    ["calls a tool", { toolCall: "bash", finishReason: "tool_calls" }],
    ["calls a tool beside the text and says stop", { text: summaryOf("Ship"), toolCall: "bash" }],
    ["stops at its limit in another word", { text: `${summaryOf("Ship")} half`, finishReason: "max_tokens" }],
    ["stops at its limit in Gemini's word", { text: `${summaryOf("Ship")} half`, finishReason: "MAX_TOKENS" }],
    ["declines in another word", { text: summaryOf("Ship"), finishReason: "sensitive" }],
    ["ends for a reason nobody knows", { text: summaryOf("Ship"), finishReason: "so_it_goes" }],
    ["does not say why it ended", { text: summaryOf("Ship"), finishReason: null }],
  ])("%s: one corrective request, then summary_provider", async (_name, completion) => {
    const word = randomUUID();
    const { result, requests, waited } = await summarizeWith(word, [answer(200, completionBody(word, completion))]);
    expect(result).toEqual({ ...failed(2), usage: { inputTokens: 1800, outputTokens: 80, incomplete: false } });
    expect({ requests, waited }).toEqual({ requests: 2, waited: [] });
  });

  it.each(["error", "network_error"])("breaks off with the reason %s: four requests", async (finishReason) => {
    const word = randomUUID();
    const outcome = await summarizeWith(word, [
      answer(200, completionBody(word, { text: summaryOf("x"), finishReason })),
    ]);
    expect(outcome).toEqual({ result: failed(4), requests: 4, waited: [2000, 4000, 8000] });
  });

  it("stops in another word for a plain end: its summary", async () => {
    const word = randomUUID();
    const body = completionBody(word, { text: summaryOf("Ship"), finishReason: "eos_token" });
    expect((await summarizeWith(word, [answer(200, body)])).result).toMatchObject({ ok: true, requests: 1 });
  });

  it("reports no usage: the sum says that it is not whole", async () => {
    const word = randomUUID();
    const { usage: _, ...body } = JSON.parse(completionBody(word, { text: summaryOf("Ship") }));
    expect((await summarizeWith(word, [answer(200, JSON.stringify(body))])).result).toMatchObject({
      ok: true,
      usage: { inputTokens: 0, outputTokens: 0, incomplete: true },
    });
  });

  it("gives the right answer on the third try: its summary, after 2 and 4 s", async () => {
    const word = randomUUID();
    const bad = answer(502, errorBody("Bad gateway", word));
    const { result, requests, waited } = await summarizeWith(word, [bad, bad, good(word)]);
    expect(result).toMatchObject({ ok: true, summary: summaryOf("Ship"), requests: 3 });
    expect({ requests, waited }).toEqual({ requests: 3, waited: [2000, 4000] });
  });

  it("is not there: four attempts and no answer", async () => {
    const gone = await startOpenAiServer([hang]);
    await gone.close();
    const provider = createOpenAICompatible({ name: "local", baseURL: gone.baseUrl, apiKey: "none" });
    const model = createAiSdkSummaryModel(provider("test"), { contextWindow: 32_000, maxOutputTokens: 4000 });
    const { clock, waited } = testClock();
    expect(await summarizeRange(range, { model, counter, clock, random: () => 0 })).toEqual(failed(4));
    expect(waited).toEqual([2000, 4000, 8000]);
  });

  it("is waiting when the user aborts: prompt, socket closed, no further request", async () => {
    const abort = new AbortController();
    server = await startOpenAiServer([hang]);
    const provider = createOpenAICompatible({ name: "local", baseURL: server.baseUrl, apiKey: "none" });
    const model = createAiSdkSummaryModel(provider("test"), { contextWindow: 32_000, maxOutputTokens: 4000 });
    const summary = summarizeRange(range, { model, counter, clock: testClock().clock, signal: abort.signal });
    await server.nextRequest();
    abort.abort();
    expect(await summary).toEqual({
      aborted: true,
      usage: { inputTokens: 0, outputTokens: 0, incomplete: true },
      requests: 1,
    });
    await vi.waitFor(() => expect(server?.socketsInUse()).toBe(0));
    expect(server.requests).toHaveLength(1);
  });
});

describe("a summary model of the AI SDK", () => {
  it("sends the temperature and the provider's own options", async () => {
    server = await startOpenAiServer([good("w")]);
    const provider = createOpenAICompatible({ name: "local", baseURL: server.baseUrl, apiKey: "none" });
    const size = { contextWindow: 32_000, maxOutputTokens: 4000 };
    const request = { system: "s", prompt: "p", maxOutputTokens: 10 };
    const { signal } = new AbortController();
    await createAiSdkSummaryModel(provider("test"), size).complete(request, { signal });
    const options = { ...size, temperature: 0.25, providerOptions: { local: { reasoningEffort: "low" } } };
    await createAiSdkSummaryModel(provider("test"), options).complete(request, { signal });
    expect(server.requests.map(({ temperature, reasoning_effort }) => ({ temperature, reasoning_effort }))).toEqual([
      { temperature: undefined, reasoning_effort: undefined },
      { temperature: 0.25, reasoning_effort: "low" },
    ]);
  });

  it.each([
    ["a socket", Object.assign(new Error("reset"), { code: "ECONNRESET" }), "transport"],
    [
      "a socket, inside",
      new Error("x", { cause: Object.assign(new Error("y"), { code: "UND_ERR_SOCKET" }) }),
      "transport",
    ],
    ["a time limit that is not ours", new DOMException("timed out", "TimeoutError"), "transport"],
    ["anything else", new Error("no such model"), "rejected"],
  ])("says of an error of %s whether asking again helps", async (_name, error, kind) => {
    const model = createAiSdkSummaryModel(
      new MockLanguageModelV3({
        doGenerate: async () => {
          throw error;
        },
      }),
      { contextWindow: 32_000, maxOutputTokens: 4000 },
    );
    const request = { system: "s", prompt: "p", maxOutputTokens: 10 };
    const { signal } = new AbortController();
    await expect(model.complete(request, { signal })).rejects.toMatchObject({ name: "SummaryModelError", kind });
  });
});

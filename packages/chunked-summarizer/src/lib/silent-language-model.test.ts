import { randomUUID } from "node:crypto";
import type { LanguageModel } from "ai";
import { MockLanguageModelV3, MockProviderV3 } from "ai/test";
import { afterEach, expect, it, vi } from "vitest";
import { createAiSdkSummaryModel } from "../ai-sdk.ts";
import { summaryOf, user } from "./fixtures/conversation.ts";
import { counter } from "./fixtures/summarize.ts";
import { summarizeRange } from "./summarize-range.ts";

const logs = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
afterEach(() => {
  globalThis.AI_SDK_DEFAULT_PROVIDER = undefined;
});

function modelV3(warning: string): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: "text", text: summaryOf("Ship") }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 4, text: 4, reasoning: 0 },
      },
      warnings: [{ type: "other", message: warning }],
    }),
  });
}

/** Keeps its name where only its own methods can read it, as classes of providers do. */
class ModelV2 {
  readonly specificationVersion = "v2";
  readonly provider = "older";
  readonly supportedUrls = {};
  readonly #modelId = "v2-model";
  readonly #warning: string;

  constructor(warning: string) {
    this.#warning = warning;
  }

  get modelId() {
    return this.#modelId;
  }

  async doGenerate() {
    return {
      content: [{ type: "text" as const, text: summaryOf("Ship") }],
      finishReason: "stop" as const,
      usage: { inputTokens: 9, outputTokens: 4, totalTokens: 13 },
      warnings: [{ type: "other" as const, message: this.#warning }],
    };
  }

  async doStream(): Promise<never> {
    throw new Error("no summary is streamed");
  }
}

it.each<[string, (warning: string) => LanguageModel]>([
  ["a model of the specification v3", modelV3],
  ["a model of the specification v2", (warning) => new ModelV2(warning)],
  [
    "a model named by its id, looked up when it is asked",
    (warning) => {
      globalThis.AI_SDK_DEFAULT_PROVIDER = new MockProviderV3({ languageModels: { "house/model": modelV3(warning) } });
      return "house/model";
    },
  ],
])("%s prints no warning of its provider", async (_name, create) => {
  const warning = randomUUID();
  const model = createAiSdkSummaryModel(create(warning), { contextWindow: 32_000, maxOutputTokens: 4000 });
  const result = await summarizeRange([user("u1", "Write a parser.")], { model, counter });
  expect(result).toMatchObject({ ok: true, usage: { inputTokens: 9, outputTokens: 4, incomplete: false } });
  expect(JSON.stringify(logs.map((log) => log.mock.calls))).not.toContain(warning);
});

it("a model id that no provider knows is a failure, and its words are printed nowhere", async () => {
  globalThis.AI_SDK_DEFAULT_PROVIDER = new MockProviderV3();
  const id = randomUUID();
  const model = createAiSdkSummaryModel(id, { contextWindow: 32_000, maxOutputTokens: 4000 });
  const result = await summarizeRange([user("u1", "Write a parser.")], { model, counter });
  expect(result).toMatchObject({ ok: false, reason: "summary_provider", requests: 1 });
  expect(JSON.stringify({ result, logs: logs.map((log) => log.mock.calls) })).not.toContain(id);
});

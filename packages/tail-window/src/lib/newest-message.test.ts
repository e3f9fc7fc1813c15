import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { Content } from "@google/genai";
import type { ModelMessage } from "ai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { shape as aiSdk } from "../ai-sdk.ts";
import { shape as anthropic } from "../anthropic.ts";
import { shape as gemini } from "../gemini.ts";
import { shape as openAi } from "../openai.ts";
import { shape as openAiResponses } from "../openai-responses.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const countTokens = (message: unknown): number => Math.ceil(JSON.stringify(message).length / 4);
const long = "x".repeat(4_000);
const call = (id: string, args = "{}") => ({ id, type: "function", function: { name: "f", arguments: args } }) as const;

describe("a counter for which a marker is dearer than what it stands for", () => {
  const countDearly = (message: unknown) => countTokens(JSON.stringify(message).replaceAll("=", ""));
  const ids = Array.from({ length: 20 }, (_, at) => `c${at}`);
  const list: ChatCompletionMessageParam[] = [
    { role: "assistant", tool_calls: [...ids, "long"].map((id) => call(id)) },
    ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: "=".repeat(64) }) as const),
    { role: "tool", tool_call_id: "long", content: "y".repeat(40_000) },
  ];

  it.each([1_000, 1_200, 2_000])("keeps short texts and never exceeds a budget of %s", (budgetTokens) => {
    const window = selectTailWindow(list, { budgetTokens, countTokens: countDearly, shape: openAi });
    expect(window.messages.reduce((sum, message) => sum + countDearly(message), 0)).toBeLessThanOrEqual(budgetTokens);
    expect(window.messages.slice(1, -1)).toEqual(list.slice(1, -1));
  });
});

describe("the newest message", () => {
  const common = { budgetTokens: 500, countTokens };

  it("stays where it is nothing but what a provider's own tool was asked and found", () => {
    const claude: MessageParam = {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "s",
          content: [{ type: "web_search_result", title: "t", url: "u", encrypted_content: long }],
        },
      ],
    };
    expect(selectTailWindow([claude], { ...common, shape: anthropic }).messages).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "[server_tool_use left out]" },
          { type: "text", text: "[web_search_tool_result left out]" },
        ],
      },
    ]);
    const ran: Content = { role: "model", parts: [{ codeExecutionResult: { output: long } }] };
    expect(selectTailWindow([ran], { ...common, shape: gemini }).messages).toEqual([
      { role: "model", parts: [{ text: "[codeExecutionResult left out]" }] },
    ]);
    const vercel: ModelMessage = {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "c", toolName: "code", input: { code: long }, providerExecuted: true },
        { type: "tool-result", toolCallId: "c", toolName: "code", output: { type: "text", value: long } },
      ],
    };
    expect(selectTailWindow([vercel], { ...common, shape: aiSdk }).messages).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "[tool-call left out]" },
          { type: "text", text: "[tool-result left out]" },
        ],
      },
    ]);
  });

  it("stays where its call was given a long list of numbers, which is cut as a text", () => {
    const xs = Array.from({ length: 5_000 }, (_, at) => at / 8);
    const list: ChatCompletionMessageParam[] = [
      { role: "assistant", tool_calls: [call("a", JSON.stringify({ title: "all", xs }))] },
      { role: "tool", tool_call_id: "a", content: "plotted" },
    ];
    const [asked, answer] = selectTailWindow(list, { ...common, shape: openAi }).messages;
    expect(answer).toBe(list[1]);
    const [kept] = asked?.role === "assistant" && asked.tool_calls ? asked.tool_calls : [];
    const args: unknown = kept?.type === "function" ? JSON.parse(kept.function.arguments) : undefined;
    expect(args).toEqual({
      title: "all",
      xs: expect.stringMatching(/^\[0,0\.125,.*characters left out.*,624\.875\]$/),
    });
    const claude: MessageParam[] = [
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "plot", input: { title: "all", xs } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "plotted" }] },
    ];
    expect(selectTailWindow(claude, { ...common, shape: anthropic }).messages).toMatchObject([
      { content: [{ input: { title: "all", xs: expect.stringContaining("characters left out") } }] },
      claude[1],
    ]);
  });

  it("stays with its call where a long note of the user stands between them", () => {
    const list: ChatCompletionMessageParam[] = [
      { role: "user", content: "go" },
      { role: "assistant", tool_calls: [call("a", JSON.stringify({ text: long }))] },
      { role: "user", content: "u".repeat(1_400) },
      { role: "tool", tool_call_id: "a", content: "ok" },
    ];
    const window = selectTailWindow(list, { ...common, shape: openAi });
    expect(window.messages.slice(1)).toEqual(list.slice(2));
    expect([window.startIndex, window.shortened]).toEqual([1, [1]]);
  });
});

describe("a text that is denser at its ends than in the middle", () => {
  const countDense = (message: unknown) =>
    [...JSON.stringify(message)].reduce((sum, character) => sum + (character > "\u2e7f" ? 1 : 0.25), 0);
  const dense = `${"日本語".repeat(40)}${"x".repeat(8_000)}${"日本語".repeat(40)}`;

  it.each([40, 200, 8_000])(
    "never starts a window later where the budget grows, with %s characters between",
    (between) => {
      const list: ChatCompletionMessageParam[] = [
        { role: "user", content: "why" },
        { role: "user", content: dense.replace("x".repeat(8_000), "x".repeat(between)) },
      ];
      const starts = Array.from({ length: 60 }, (_, at) => {
        const options = { budgetTokens: 64 + 4 * at, countTokens: countDense, shape: openAi };
        return selectTailWindow(list, options).startIndex;
      });
      expect(starts).toEqual(starts.toSorted((a, b) => b - a));
    },
  );
});

describe("blank text", () => {
  const whole = { budgetTokens: Infinity, countTokens };

  it("beside a call leaves no empty list of parts, which OpenAI refuses", () => {
    const list: ChatCompletionMessageParam[] = [
      { role: "assistant", content: [{ type: "text", text: "" }], tool_calls: [call("a")] },
      { role: "tool", tool_call_id: "a", content: "ok" },
    ];
    expect(selectTailWindow(list, { ...whole, shape: openAi }).messages).toEqual([
      { ...list[0], content: null },
      list[1],
    ]);
  });

  it("before a call of the Responses API goes, and the reasoning before it stays", () => {
    const list: ResponseInputItem[] = [
      { type: "reasoning", id: "rs", summary: [] },
      { role: "assistant", content: "" },
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "ok" },
    ];
    const window = selectTailWindow(list, { ...whole, shape: openAiResponses });
    expect(window.messages).toEqual([list[0], ...list.slice(2)]);
    expect(window.omitted).toEqual([{ index: 1, reason: "empty" }]);
  });

  it("inside a document or a search result of Anthropic leaves a block that is valid", () => {
    const document = { type: "document", source: { type: "text", media_type: "text/plain", data: "" } } as const;
    const found = { type: "search_result", source: "s", title: "t", content: [{ type: "text", text: " " }] } as const;
    const list: MessageParam[] = [
      { role: "user", content: [{ type: "text", text: "see" }, document, { ...found, content: [...found.content] }] },
    ];
    expect(selectTailWindow(list, { ...whole, shape: anthropic }).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          document,
          { ...found, content: [{ type: "text", text: "(no output)" }] },
        ],
      },
    ]);
  });
});

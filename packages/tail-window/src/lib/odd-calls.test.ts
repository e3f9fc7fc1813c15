import {
  AIMessage,
  AIMessageChunk,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ModelMessage } from "ai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { shape as aiSdk } from "../ai-sdk.ts";
import { shape as langChain } from "../langchain.ts";
import { shape as openAi } from "../openai.ts";
import { shape as openAiResponses } from "../openai-responses.ts";
import type { MessageShape } from "./message-shape.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const countTokens = (message: unknown): number => Math.ceil(JSON.stringify(message).length / 4);
const common = { budgetTokens: 500, countTokens };
const long = "x".repeat(8_000);

describe("LangChain", () => {
  it("never changes a streamed message, whose calls are read from its chunks", () => {
    const args = JSON.stringify({ content: long });
    const streamed = new AIMessageChunk({
      content: "I write it",
      tool_call_chunks: [{ type: "tool_call_chunk", id: "c", name: "write", args, index: 0 }],
    });
    const before = JSON.stringify(streamed);
    const window = selectTailWindow([streamed, new ToolMessage({ tool_call_id: "c", content: "ok" })], {
      ...common,
      shape: langChain,
    });
    expect(JSON.stringify(streamed)).toBe(before);
    expect(streamed.tool_calls?.[0]?.args).toEqual({ content: long });
    const [shortened] = window.messages as [AIMessageChunk];
    expect(shortened).toBeInstanceOf(AIMessageChunk);
    expect([shortened.tool_calls?.[0]?.id, shortened.tool_call_chunks]).toEqual(["c", []]);
    expect(shortened.tool_calls?.[0]?.args.content).toContain("characters left out");
  });

  it("shortens a call that the output limit cut off, so that the newest exchange stays", () => {
    const cutOff = new AIMessage({
      content: "",
      invalid_tool_calls: [{ type: "invalid_tool_call", id: "c", name: "write", args: `{"content":"${long}` }],
    });
    const refused = new ToolMessage({ tool_call_id: "c", content: "arguments are no JSON" });
    const window = selectTailWindow([cutOff, refused], { ...common, shape: langChain });
    const [kept] = window.messages as [AIMessage];
    expect(window.messages[1]).toBe(refused);
    expect(kept.tool_calls).toEqual([]);
    expect(kept.invalid_tool_calls).toMatchObject([{ id: "c", args: expect.stringContaining("characters left out") }]);
  });

  it("pairs calls of the old kind by name, and takes out one that has no result", () => {
    const asked = new AIMessage({
      content: "",
      additional_kwargs: { function_call: { name: "read", arguments: "{}" } },
    });
    const exchange = [asked, new FunctionMessage({ name: "read", content: "text" })];
    expect(selectTailWindow(exchange, { ...common, shape: langChain }).messages).toEqual(exchange);
    const said = new AIMessage({ content: "I read", additional_kwargs: asked.additional_kwargs });
    const [alone] = selectTailWindow([said], { ...common, shape: langChain }).messages;
    expect([alone?.content, alone?.additional_kwargs.function_call]).toEqual(["I read", undefined]);
  });

  it("leaves an order to remove a message out, which no provider is sent", () => {
    const asked = new HumanMessage("hi");
    const window = selectTailWindow([asked, new RemoveMessage({ id: "m" })], {
      ...common,
      shape: langChain,
      anchor: "latest-request",
    });
    expect(window.messages).toEqual([asked]);
    expect(window.omitted).toEqual([{ index: 1, reason: "discarded" }]);
  });
});

describe("OpenAI Chat Completions", () => {
  it("sees a call of the old kind beside an empty list of calls", () => {
    const exchange: ChatCompletionMessageParam[] = [
      { role: "assistant", content: null, tool_calls: [], function_call: { name: "read", arguments: "{}" } },
      { role: "function", name: "read", content: "text" },
    ];
    const sent = [{ ...exchange[0], tool_calls: undefined }, exchange[1]];
    expect(selectTailWindow(exchange, { ...common, shape: openAi }).messages).toEqual(sent);
  });

  it("keeps the answer of the call that is kept where two calls have one id and only one fits", () => {
    const call = (first: number) => ({
      id: "call_0",
      type: "function" as const,
      function: {
        name: "plot",
        arguments: JSON.stringify(Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`x${first + at}`, at]))),
      },
    });
    const exchange: ChatCompletionMessageParam[] = [
      { role: "assistant", tool_calls: [call(1_000), call(5_000)] },
      { role: "tool", tool_call_id: "call_0", content: "plotted from 1000" },
      { role: "tool", tool_call_id: "call_0", content: "plotted from 5000" },
    ];
    const window = selectTailWindow(exchange, { ...common, shape: openAi });
    expect(window.messages).toEqual([{ role: "assistant", tool_calls: [call(1_000)] }, exchange[1]]);
  });

  it("shortens a long refusal", () => {
    const refused: ChatCompletionMessageParam = { role: "assistant", content: null, refusal: long };
    const window = selectTailWindow([refused], { ...common, shape: openAi });
    expect(window.messages).toMatchObject([{ refusal: expect.stringContaining("characters left out") }]);
  });
});

describe("AI SDK", () => {
  it("sends no blank text beside a picture in a result, and says so where there is nothing else", () => {
    const picture = { type: "image-data", data: "iVBO", mediaType: "image/png" } as const;
    const blank = { type: "text", text: " " } as const;
    const answer = (id: string, value: (typeof picture | typeof blank)[]) =>
      ({ type: "tool-result", toolCallId: id, toolName: "look", output: { type: "content", value } }) as const;
    const exchange: ModelMessage[] = [
      {
        role: "assistant",
        content: ["a", "b"].map((id) => ({ type: "tool-call", toolCallId: id, toolName: "look", input: {} })),
      },
      { role: "tool", content: [answer("a", [blank, picture]), answer("b", [blank])] },
    ];
    const [, kept] = selectTailWindow(exchange, { ...common, shape: aiSdk }).messages;
    expect(kept?.content).toMatchObject([
      { output: { type: "content", value: [picture] } },
      { output: { type: "text", value: "(no output)" } },
    ]);
  });
});

describe("very many parallel calls", () => {
  const idsOf = (length: number) => Array.from({ length }, (_, at) => `call_${at}`);

  it("leave no empty window, however few of them fit", () => {
    const ids = idsOf(1_000);
    const items: ResponseInputItem[] = [
      ...ids.map((id) => ({ type: "function_call", call_id: id, name: "read", arguments: "{}" }) as const),
      ...ids.map((id) => ({ type: "function_call_output", call_id: id, output: "ok" }) as const),
    ];
    const window = selectTailWindow(items, { ...common, budgetTokens: 64, shape: openAiResponses });
    expect(window.messages).toEqual([items[999], items[1999]]);
  });

  /** How often any field of the messages is read. */
  function readsOf<M extends object>(messages: readonly M[], shape: MessageShape<M>): number {
    let reads = 0;
    const watch = <T extends object>(object: T): T =>
      new Proxy(object, {
        get(target, key, receiver) {
          reads += 1;
          const value: unknown = Reflect.get(target, key, receiver);
          return typeof value === "object" && value ? watch(value) : value;
        },
      });
    selectTailWindow(messages.map(watch), { budgetTokens: Infinity, countTokens: () => 1, shape });
    return reads;
  }

  it.each(["OpenAI Chat Completions", "AI SDK"])("of %s take time that grows with their number only", (name) => {
    const openAiCalls = (ids: string[]): ChatCompletionMessageParam[] => [
      {
        role: "assistant",
        tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "read", arguments: "{}" } })),
      },
      ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: "ok" }) as const),
    ];
    const aiSdkCalls = (ids: string[]): ModelMessage[] => [
      {
        role: "assistant",
        content: ids.map((id) => ({ type: "tool-call", toolCallId: id, toolName: "read", input: {} })),
      },
      {
        role: "tool",
        content: ids.map((id) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: "read",
          output: { type: "text", value: "ok" },
        })),
      },
    ];
    const readsFor = (calls: number) =>
      name === "AI SDK" ? readsOf(aiSdkCalls(idsOf(calls)), aiSdk) : readsOf(openAiCalls(idsOf(calls)), openAi);
    expect(readsFor(400)).toBeLessThan(5 * readsFor(100));
  });
});

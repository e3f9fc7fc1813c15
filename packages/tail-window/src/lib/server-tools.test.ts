import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { Content } from "@google/genai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { shape as anthropic } from "../anthropic.ts";
import { shape as gemini } from "../gemini.ts";
import { shape as openAiResponses } from "../openai-responses.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const countTokens = (message: unknown): number => Math.ceil(JSON.stringify(message).length / 4);
const common = { budgetTokens: 500, countTokens };
const long = "x".repeat(8_000);
const cut = expect.stringContaining("characters left out");

describe("Anthropic Messages", () => {
  const searched: MessageParam[] = [
    { role: "user", content: "search" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I search", signature: "sig" },
        { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
        { type: "web_search_tool_result", tool_use_id: "s", content: [] },
      ],
    },
  ];

  it("keeps a turn that paused at a search, which the server goes on with", () => {
    const window = selectTailWindow(searched, { ...common, shape: anthropic });
    expect([window.messages, window.omitted]).toEqual([searched, []]);
  });

  it("keeps the search of such a turn where its thinking does not fit", () => {
    const [asked, paused] = searched as [MessageParam, MessageParam & { content: object[] }];
    const thinking = { type: "thinking", thinking: long, signature: "sig" };
    const list = [asked, { ...paused, content: [thinking, ...paused.content.slice(1)] }] as MessageParam[];
    const window = selectTailWindow(list, { ...common, shape: anthropic });
    expect(window.messages).toEqual([{ role: "assistant", content: paused.content.slice(1) }]);
  });

  it("keeps the newest answer also where its citations alone exceed the budget", () => {
    const excerpt = {
      type: "char_location",
      cited_text: long,
      document_index: 0,
      document_title: null,
      start_char_index: 0,
      end_char_index: 8_000,
    } as const;
    const answer: MessageParam = { role: "assistant", content: [{ type: "text", text: "Yes.", citations: [excerpt] }] };
    const window = selectTailWindow([answer], { ...common, shape: anthropic });
    expect([window.messages, window.repaired]).toEqual([
      [{ role: "assistant", content: [{ type: "text", text: "Yes." }] }],
      [0],
    ]);
  });
});

describe("OpenAI Responses", () => {
  it("keeps the newest answer behind a list of tools that exceeds the budget", () => {
    const items: ResponseInputItem[] = [
      {
        type: "mcp_list_tools",
        id: "l",
        server_label: "s",
        tools: [{ name: "t", description: long, input_schema: {} }],
      },
      {
        type: "message",
        id: "m",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Done.", annotations: [] }],
      },
    ];
    const window = selectTailWindow(items, { ...common, shape: openAiResponses });
    expect(window.messages).toMatchObject([{ role: "assistant", content: [{ text: "Done." }] }]);
    expect([window.startIndex, window.repaired]).toEqual([1, [1]]);
  });

  it("keeps no reasoning that led to nothing behind a tool that the server ran", () => {
    const items: ResponseInputItem[] = [
      { type: "image_generation_call", id: "i", status: "completed", result: "picture" },
      { type: "reasoning", id: "rs", summary: [], encrypted_content: "e" },
    ];
    const window = selectTailWindow(items, { ...common, shape: openAiResponses });
    expect([window.messages, window.omitted]).toEqual([items.slice(0, 1), [{ index: 1, reason: "empty" }]]);
  });

  it("shortens code that the server ran and what it printed", () => {
    const ran: ResponseInputItem = {
      type: "code_interpreter_call",
      id: "c",
      container_id: "k",
      status: "completed",
      code: long,
      outputs: [{ type: "logs", logs: long }],
    };
    const window = selectTailWindow([ran], { ...common, shape: openAiResponses });
    expect(window.messages).toMatchObject([{ id: "c", code: cut, outputs: [{ type: "logs", logs: cut }] }]);
  });
});

describe("Gemini", () => {
  it("keeps what was said beside code that the server ran and that does not fit", () => {
    const content: Content = {
      role: "model",
      parts: [
        { executableCode: { code: "print()" } },
        { codeExecutionResult: { output: long } },
        { text: "It printed x." },
      ],
    };
    const window = selectTailWindow([content], { ...common, shape: gemini });
    const said = ["[executableCode left out]", "[codeExecutionResult left out]", "It printed x."];
    expect(window.messages).toEqual([{ role: "model", parts: said.map((text) => ({ text })) }]);
    expect(selectTailWindow([content], { ...common, budgetTokens: 5_000, shape: gemini }).messages[0]).toBe(content);
  });
});

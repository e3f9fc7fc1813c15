import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
// Declares the roles that the coding agent adds.
import type {} from "@earendil-works/pi-coding-agent";
import type { Content } from "@google/genai";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ModelMessage } from "ai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { shape as aiSdk } from "../ai-sdk.ts";
import { shape as anthropic } from "../anthropic.ts";
import { shape as gemini } from "../gemini.ts";
import { shape as langChain } from "../langchain.ts";
import { shape as openAi } from "../openai.ts";
import { shape as openAiResponses } from "../openai-responses.ts";
import { shape as pi } from "../pi.ts";
import { findPairingProblems } from "./find-pairing-problems.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const countTokens = (message: unknown): number => Math.ceil(JSON.stringify(message).length / 4);
const long = "x".repeat(8_000);

describe("OpenAI Chat Completions", () => {
  it("shortens the result, keeps the call's arguments valid JSON and knows developer messages", () => {
    const messages: ChatCompletionMessageParam[] = [
      { role: "developer", content: long },
      {
        role: "assistant",
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: `{"text": "${long}", "n": 1}` } }],
      },
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: long }] },
    ];
    const window = selectTailWindow(messages, { budgetTokens: 300, countTokens, shape: openAi });
    expect(window.messages[0]).toBe(messages[0]);
    expect(window.shortened).toEqual([1, 2]);
    const call = window.messages[1];
    const args =
      call?.role === "assistant" && call.tool_calls?.[0]?.type === "function"
        ? call.tool_calls[0].function.arguments
        : "";
    expect(JSON.parse(args)).toEqual({ n: 1, text: expect.stringContaining("characters left out") });
  });

  it("pairs calls of the old kind by name", () => {
    const messages: ChatCompletionMessageParam[] = [
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: "ok" },
      { role: "assistant", content: "said", function_call: { name: "g", arguments: "{}" } },
    ];
    const window = selectTailWindow(messages, { budgetTokens: 1_000, countTokens, shape: openAi });
    expect(window.messages.slice(0, 2)).toEqual(messages.slice(0, 2));
    expect(window.messages[2]).toEqual({ role: "assistant", content: "said" });
  });
});

describe("OpenAI Responses", () => {
  const exchange: ResponseInputItem[] = [
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e".repeat(400) },
    { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: "{}" },
    { type: "function_call", id: "fc_2", call_id: "c2", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: "one" },
    { type: "function_call_output", call_id: "c2", output: long },
  ];

  it("keeps reasoning, parallel calls and outputs together or not at all", () => {
    const answer: ResponseInputItem = { role: "assistant", content: "y".repeat(2_000) };
    const list = [...exchange, { role: "user", content: "next" } as const, answer];
    const whole = selectTailWindow(list, { budgetTokens: 1_500, countTokens, shape: openAiResponses });
    expect([whole.startIndex, whole.shortened]).toEqual([0, [4]]);
    expect(whole.messages[0]).toBe(exchange[0]);
    const narrow = selectTailWindow(list, { budgetTokens: 800, countTokens, shape: openAiResponses });
    expect(narrow.messages).toEqual(list.slice(5));
  });

  it("leaves reasoning out whole, and the ids that would ask for it, where it does not fit", () => {
    const window = selectTailWindow(exchange, { budgetTokens: 170, countTokens, shape: openAiResponses });
    expect(window.messages.map((item) => [item.type, "id" in item && item.id])).toEqual(
      [
        ["function_call", undefined],
        ["function_call", undefined],
        ["function_call_output", undefined],
        ["function_call_output", undefined],
      ].map(([type, id]) => [type, type === "function_call" ? id : false]),
    );
  });

  it("never leaves reasoning without what it led to", () => {
    const window = selectTailWindow(exchange.slice(0, 2), { budgetTokens: 1_000, countTokens, shape: openAiResponses });
    expect(window.messages).toEqual([]);
  });
});

describe("Anthropic Messages", () => {
  it("drops one orphan among good results, with the text beside them kept", () => {
    const messages: MessageParam[] = [
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "gone", content: "?" },
          { type: "tool_result", tool_use_id: "a", content: "ok" },
          { type: "text", text: "go on" },
        ],
      },
    ];
    const window = selectTailWindow(messages, { budgetTokens: 1_000, countTokens, shape: anthropic });
    expect(window.messages[1]).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: "ok" },
        { type: "text", text: "go on" },
      ],
    });
    expect(window.repaired).toEqual([1]);
  });

  it("shortens parallel results of one message in fair shares and leaves thinking byte for byte", () => {
    const thinking = { type: "thinking", thinking: "why", signature: "c2lnbmVk" } as const;
    const messages: MessageParam[] = [
      {
        role: "assistant",
        content: [
          thinking,
          { type: "tool_use", id: "a", name: "f", input: {} },
          { type: "tool_use", id: "b", name: "f", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: long },
          {
            type: "tool_result",
            tool_use_id: "b",
            content: [
              { type: "text", text: long },
              { type: "image", source: { type: "base64", media_type: "image/png", data: long } },
            ],
          },
        ],
      },
    ];
    const window = selectTailWindow(messages, { budgetTokens: 1_000, countTokens, shape: anthropic });
    expect(window.messages[0]).toBe(messages[0]);
    const [first, second] = (window.messages[1]?.content ?? []) as unknown as {
      content: string | { text: string }[];
    }[];
    const lengths = [first?.content, Array.isArray(second?.content) ? second.content[0]?.text : ""].map(
      (text) => text?.length ?? 0,
    );
    expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThan(3);
    expect(second?.content).toContainEqual({ type: "text", text: "[image left out]" });
  });
});

describe("AI SDK", () => {
  const asked: ModelMessage = {
    role: "assistant",
    content: [
      { type: "tool-call", toolCallId: "c", toolName: "rm", input: {} },
      { type: "tool-approval-request", approvalId: "ok1", toolCallId: "c" },
    ],
  };
  const approved: ModelMessage = {
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId: "ok1", approved: true }],
  };
  const select = (messages: ModelMessage[]) =>
    selectTailWindow(messages, { budgetTokens: 1_000, countTokens, shape: aiSdk }).messages;

  it("keeps an approved call that is about to run, and its approval once it has run", () => {
    expect(select([asked, approved])).toEqual([asked, approved]);
    expect(findPairingProblems<ModelMessage>([asked, approved], aiSdk)).toEqual([]);
    const ran: ModelMessage = {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c", toolName: "rm", output: { type: "text", value: "done" } }],
    };
    expect(select([asked, approved, ran])).toEqual([asked, approved, ran]);
  });

  it("drops a call that waits for approval, and an approved one that never ran", () => {
    expect(select([asked])).toEqual([]);
    const moved: ModelMessage = { role: "user", content: "something else" };
    expect(select([asked, approved, moved])).toEqual([moved]);
    expect(select([approved, moved])).toEqual([moved]);
  });

  it("turns JSON output that is too long into text", () => {
    const messages: ModelMessage[] = [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "f", input: {} }] },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c",
            toolName: "f",
            output: { type: "json", value: Array(2_000).fill(1) },
          },
        ],
      },
    ];
    const window = selectTailWindow(messages, { budgetTokens: 200, countTokens, shape: aiSdk });
    expect(window.messages[1]).toMatchObject({
      content: [{ output: { type: "text", value: expect.stringMatching(/^\[1,1,.*left out.*,1\]$/) } }],
    });
  });

  it("gives up an approval together with its call where an exchange is too wide, wherever the requests stand", () => {
    const ids = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const calls = ids.map((id) => ({ type: "tool-call", toolCallId: id, toolName: "f", input: {} }) as const);
    const requests = ids.map(
      (id) => ({ type: "tool-approval-request", approvalId: `of ${id}`, toolCallId: id }) as const,
    );
    const answers: ModelMessage[] = [
      {
        role: "tool",
        content: ids.map((id) => ({ type: "tool-approval-response", approvalId: `of ${id}`, approved: true }) as const),
      },
      {
        role: "tool",
        content: ids.map(
          (id) =>
            ({ type: "tool-result", toolCallId: id, toolName: "f", output: { type: "text", value: long } }) as const,
        ),
      },
    ];
    const inPairs = calls.flatMap((call, index) => [call, ...requests.slice(index, index + 1)]);
    for (const content of [inPairs, [...calls, ...requests], [...requests, ...calls]]) {
      const messages: ModelMessage[] = [{ role: "assistant", content }, ...answers];
      const window = selectTailWindow(messages, { budgetTokens: 1_000, countTokens, shape: aiSdk });
      expect(findPairingProblems(window.messages, aiSdk)).toEqual([]);
      expect(window.tokens).toBeLessThanOrEqual(1_000);
      expect(window.messages.length).toBeGreaterThan(0);
    }
  });
});

describe("LangChain", () => {
  it("gives back instances of the same class, calls taken out everywhere they stand", () => {
    const assistant = new AIMessage({
      content: [
        { type: "text", text: "go" },
        { type: "tool_use", id: "b", name: "f", input: {} },
      ],
      tool_calls: [
        { id: "a", name: "f", args: {} },
        { id: "b", name: "f", args: {} },
      ],
      additional_kwargs: { tool_calls: [{ id: "b", type: "function", function: { name: "f", arguments: "{}" } }] },
    });
    const messages: BaseMessage[] = [
      new HumanMessage("hi"),
      assistant,
      new ToolMessage({ tool_call_id: "a", content: long }),
    ];
    const window = selectTailWindow(messages, { budgetTokens: 400, countTokens, shape: langChain });
    const [kept, result] = window.messages;
    expect(window.shortened).toEqual([2]);
    expect(kept).toBeInstanceOf(AIMessage);
    expect(result).toBeInstanceOf(ToolMessage);
    expect((kept as AIMessage).tool_calls).toEqual([{ id: "a", name: "f", args: {} }]);
    expect(kept?.content).toEqual([{ type: "text", text: "go" }]);
    expect(JSON.stringify(kept)).not.toContain('"b"');
    expect(assistant.tool_calls?.length).toBe(2);
  });
});

describe("Gemini", () => {
  it("pairs calls without ids by name and order, and keeps their signatures", () => {
    const messages: Content[] = [
      { role: "user", parts: [{ text: "compare" }] },
      {
        role: "model",
        parts: [
          { functionCall: { name: "read", args: { path: "a" } }, thoughtSignature: "c2ln" },
          { functionCall: { name: "read", args: { path: "b" } } },
          { functionCall: { name: "list", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "read", response: { output: long } } },
          { functionResponse: { name: "read", response: { lines: [long, long] } } },
        ],
      },
    ];
    const window = selectTailWindow(messages, { budgetTokens: 400, countTokens, shape: gemini });
    expect(window.messages[0]?.parts).toEqual(messages[1]?.parts?.slice(0, 2));
    expect(findPairingProblems(window.messages, gemini)).toEqual([]);
    expect(window.shortened).toEqual([2]);
    expect(window.tokens).toBeGreaterThan(380);
  });
});

describe("pi", () => {
  const user = (text: string): AgentMessage => ({ role: "user", content: text, timestamp: 0 });

  it("shortens what a shell command of the user put out, and sends nothing that pi would not send", () => {
    const shell: AgentMessage = {
      role: "bashExecution",
      command: `make ${long}`,
      output: long,
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: 0,
    };
    const hidden: AgentMessage = { ...shell, excludeFromContext: true };
    const window = selectTailWindow([user("go"), hidden, shell], {
      budgetTokens: 200,
      countTokens,
      shape: pi,
      anchor: "latest-request",
    });
    expect(window.messages.map(({ role }) => role)).toEqual(["user", "bashExecution"]);
    expect(window.shortened).toEqual([2]);
    expect(window.anchorIndex).toBe(0);
  });
});

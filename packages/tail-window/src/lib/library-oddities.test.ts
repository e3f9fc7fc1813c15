import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { Content } from "@google/genai";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
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
import type { MessageShape } from "./message-shape.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const countTokens = (message: unknown): number => Math.ceil(JSON.stringify(message).length / 4);
const common = { budgetTokens: 500, countTokens };
const long = "x".repeat(8_000);
const cut = expect.stringContaining("characters left out");

describe("OpenAI Responses", () => {
  it("shortens what a shell command put out, whose parts have no type", () => {
    const items: ResponseInputItem[] = [
      { type: "shell_call", call_id: "c", action: { commands: ["make"] }, status: "completed" },
      {
        type: "shell_call_output",
        call_id: "c",
        output: [{ stdout: long, stderr: "warning", outcome: { type: "exit", exit_code: 0 } }],
      },
    ];
    const window = selectTailWindow(items, { ...common, shape: openAiResponses });
    expect(window.messages[1]).toMatchObject({ output: [{ stdout: cut, stderr: "warning" }] });
    expect(window.tokens).toBeGreaterThan(450);
  });

  it("shortens what a server's tool, a file search and a patch put into the list, and a refusal", () => {
    const items: ResponseInputItem[] = [
      { type: "mcp_call", id: "m", name: "q", server_label: "s", arguments: "{}", output: long },
      { type: "file_search_call", id: "f", queries: ["q"], status: "completed", results: [{ text: long }] },
      {
        type: "apply_patch_call",
        call_id: "c",
        status: "completed",
        operation: { type: "update_file", path: "a", diff: long },
      },
      {
        type: "message",
        id: "m",
        role: "assistant",
        status: "completed",
        content: [{ type: "refusal", refusal: long }],
      },
    ];
    const shortest = items.map((item) => openAiResponses.shorten(item, 100, countTokens));
    expect(shortest).toMatchObject([
      { output: cut },
      { results: [{ text: cut }] },
      { operation: { type: "update_file", path: "a", diff: cut } },
      { content: [{ type: "refusal", refusal: cut }] },
    ]);
    expect(Math.max(...shortest.map(countTokens))).toBeLessThanOrEqual(100);
  });

  it("says that a picture it drew was left out", () => {
    const drawn: ResponseInputItem = { type: "image_generation_call", id: "i", status: "completed", result: long };
    const window = selectTailWindow([drawn], { ...common, shape: openAiResponses });
    expect(window.messages).toEqual([{ role: "assistant", content: "[image left out]" }]);
  });

  it("keeps the ids that pair, and those an item cannot do without, where reasoning is left out", () => {
    const reasoning: ResponseInputItem = { type: "reasoning", id: "rs", summary: [], encrypted_content: long };
    const asked: ResponseInputItem[] = [
      reasoning,
      { type: "mcp_approval_request", id: "mcpr", name: "t", arguments: "{}", server_label: "s" },
      { type: "mcp_approval_response", approval_request_id: "mcpr", approve: true },
    ];
    const ran: ResponseInputItem[] = [
      reasoning,
      {
        type: "local_shell_call",
        id: "lsh",
        call_id: "c",
        status: "completed",
        action: { type: "exec", command: ["ls"], env: {} },
      },
      { type: "local_shell_call_output", id: "c", output: "ok" },
    ];
    for (const items of [asked, ran]) {
      const window = selectTailWindow(items, { ...common, shape: openAiResponses });
      expect(window.messages).toEqual(items.slice(1));
      expect(findPairingProblems(window.messages, openAiResponses)).toEqual([]);
    }
  });

  it("never edits what an approved call will be run with", () => {
    const request: ResponseInputItem = {
      type: "mcp_approval_request",
      id: "mcpr",
      name: "write",
      arguments: JSON.stringify({ content: long }),
      server_label: "s",
    };
    expect(openAiResponses.shorten(request, 0, countTokens)).toBe(request);
  });
});

describe("AI SDK", () => {
  const searched: ModelMessage[] = [
    { role: "user", content: "search" },
    {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "s", toolName: "web_search", input: { query: "q" }, providerExecuted: true },
        {
          type: "tool-result",
          toolCallId: "s",
          toolName: "web_search",
          output: { type: "json", value: [{ url: "u", encryptedContent: long }] },
        },
        { type: "text", text: "Answer" },
      ],
    },
  ];

  it("keeps what the provider's own tool found as it is, or lets it go with its call", () => {
    const whole = selectTailWindow(searched, { ...common, budgetTokens: 3_000, shape: aiSdk });
    expect(whole.messages[1]).toBe(searched[1]);
    const window = selectTailWindow(searched, { ...common, shape: aiSdk });
    expect(window.messages.at(-1)).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "[tool-call left out]" },
        { type: "text", text: "[tool-result left out]" },
        { type: "text", text: "Answer" },
      ],
    });
  });
});

describe("Gemini", () => {
  it("signs the first call that is left where the signed one was taken out", () => {
    const contents: Content[] = [
      {
        role: "model",
        parts: [
          { functionCall: { id: "a", name: "f", args: {} }, thoughtSignature: "c2ln" },
          { functionCall: { id: "b", name: "f", args: {} } },
          { functionCall: { id: "c", name: "f", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "b", name: "f", response: { output: "ok" } } },
          { functionResponse: { id: "c", name: "f", response: { output: "ok" } } },
        ],
      },
    ];
    const window = selectTailWindow(contents, { ...common, shape: gemini });
    expect(window.messages[0]?.parts).toEqual([
      { functionCall: { id: "b", name: "f", args: {} }, thoughtSignature: "c2ln" },
      { functionCall: { id: "c", name: "f", args: {} } },
    ]);
  });
});

describe("LangChain", () => {
  it("does without the metadata that repeats a message which was changed, and keeps it on all others", () => {
    const output = [{ type: "function_call", id: "fc_2", call_id: "b", name: "f", arguments: "{}" }];
    const asks = new AIMessage({
      content: "I look",
      tool_calls: ["a", "b"].map((id) => ({ id, name: "f", args: {} })),
      response_metadata: { model: "m", output },
    });
    const answer = new ToolMessage({ tool_call_id: "a", content: "ok" });
    const kept = new AIMessage({ content: "done", response_metadata: { output } });
    const window = selectTailWindow([asks, answer, new HumanMessage("go on"), kept], { ...common, shape: langChain });
    expect(window.messages[0]?.response_metadata).toEqual({ model: "m", output: undefined });
    expect(JSON.stringify(window.messages[0])).not.toContain("fc_2");
    expect(window.messages[3]).toBe(kept);
  });
});

describe("what is left out is named", () => {
  it("by its type or media type", () => {
    const source = { type: "base64", media_type: "application/pdf", data: long } as const;
    const claude: MessageParam = {
      role: "user",
      content: [
        { type: "document", source },
        { type: "text", text: "why" },
      ],
    };
    expect(anthropic.shorten(claude, 0, countTokens).content).toEqual([
      { type: "text", text: "[document left out]" },
      { type: "text", text: "why" },
    ]);
    const vercel: ModelMessage = {
      role: "user",
      content: [
        { type: "file", data: long, mediaType: "application/pdf" },
        { type: "file", data: long, mediaType: "image/png" },
      ],
    };
    expect(aiSdk.shorten(vercel, 0, countTokens).content).toEqual([
      { type: "text", text: "[application/pdf left out]" },
      { type: "text", text: "[image/png left out]" },
    ]);
    const chat: ChatCompletionMessageParam = {
      role: "user",
      content: [{ type: "input_audio", input_audio: { data: long, format: "mp3" } }],
    };
    expect(openAi.shorten(chat, 0, countTokens).content).toEqual([{ type: "text", text: "[input_audio left out]" }]);
    const item: ResponseInputItem = { role: "user", content: [{ type: "input_file", file_data: long }] };
    expect(openAiResponses.shorten(item, 0, countTokens)).toMatchObject({
      content: [{ text: "[input_file left out]" }],
    });
  });

  it("shortens a document of plain text as the text it is", () => {
    const source = { type: "text", media_type: "text/plain", data: long } as const;
    const message: MessageParam = { role: "user", content: [{ type: "document", title: "notes", source }] };
    const window = selectTailWindow([message], { ...common, shape: anthropic });
    expect(window.messages[0]).toMatchObject({
      content: [{ type: "document", title: "notes", source: { data: cut } }],
    });
    expect(window.tokens).toBeGreaterThan(450);
  });
});

describe("arguments", () => {
  const asking = (args: string): ChatCompletionMessageParam => ({
    role: "assistant",
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: args } }],
  });
  const argumentsOf = (message: ChatCompletionMessageParam): string =>
    message.role === "assistant" && message.tool_calls?.[0]?.type === "function"
      ? message.tool_calls[0].function.arguments
      : "";

  it("keep every character that is not of a long string, numbers included", () => {
    const args = `{"id": 12345678901234567890, "v":1.0, "k\\"":"\\u00e9", "t" : "${long}", "${long}": 1e3}`;
    const shortened = argumentsOf(openAi.shorten(asking(args), 0, countTokens));
    expect(shortened).toBe(args.replace(`: "${long}"`, ': "[… 8000 characters left out …]"'));
  });

  it("that are no JSON are cut as the text they are", () => {
    expect(argumentsOf(openAi.shorten(asking(`{"t":"${long}`), 0, countTokens))).toBe("[… 8006 characters left out …]");
  });

  it("of many megabytes are cut too", () => {
    const args = JSON.stringify({ t: `\\"${long.repeat(1_000)}`, n: 1 });
    expect(argumentsOf(openAi.shorten(asking(args), 0, countTokens))).toBe(
      '{"t":"[… 8000002 characters left out …]","n":1}',
    );
  });
});

describe("parts of no known form", () => {
  const strange: unknown[] = [null, "text", 7, {}, { type: "new" }, { type: "text" }, { type: "tool-result" }, []];
  const readAll = <M>(shape: MessageShape<M>, message: M) => {
    const window = selectTailWindow([message, message], { ...common, budgetTokens: 64, shape });
    expect(window.tokens).toBeLessThanOrEqual(64);
    return [
      shape.shorten?.(message, 0, countTokens),
      shape.withoutToolCalls?.(message, ["c"]),
      shape.withoutToolResults?.(message, ["c"]),
      shape.withoutReasoning?.(message),
      shape.withoutBlankText?.(message),
      shape.isRequest?.(message),
    ];
  };

  it("never break a shape", () => {
    const contents: unknown[] = [...strange, ...strange.map((part) => [part, { type: "text", text: long }])];
    for (const content of contents) {
      for (const role of ["user", "assistant"]) {
        const message = { role, content };
        readAll<ChatCompletionMessageParam>(openAi, message as ChatCompletionMessageParam);
        readAll<MessageParam>(anthropic, message as MessageParam);
        readAll<ModelMessage>(aiSdk, message as ModelMessage);
        readAll<ResponseInputItem>(openAiResponses, message as ResponseInputItem);
        readAll(pi, message as Parameters<typeof pi.role>[0]);
      }
      readAll(anthropic, { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content }] });
      readAll(aiSdk, { role: "tool", content: [{ type: "tool-result", toolCallId: "c", output: content }] });
      readAll(aiSdk, {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c", output: { type: "content", value: content } }],
      });
      readAll<ResponseInputItem>(openAiResponses, {
        type: "function_call_output",
        call_id: "c",
        output: content,
      } as ResponseInputItem);
      readAll(gemini, { role: "user", parts: content as [] });
      readAll(langChain, new HumanMessage({ content: content as [] }));
    }
  });
});

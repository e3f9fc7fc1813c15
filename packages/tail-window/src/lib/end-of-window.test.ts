import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { ModelMessage } from "ai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { shape as aiSdk } from "../ai-sdk.ts";
import { shape as anthropic } from "../anthropic.ts";
import { shape as openAi } from "../openai.ts";
import { shape as openAiResponses } from "../openai-responses.ts";
import { findPairingProblems } from "./find-pairing-problems.ts";
import type { MessageShape } from "./message-shape.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const countTokens = (message: unknown): number => Math.ceil(JSON.stringify(message).length / 4);
/** Arguments without a text that could be cut. */
const manyFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, at]));
const says = (content: string) => ({ role: "user", content }) as const;

describe("a call that is about to run", () => {
  const write = { path: "a.txt", content: "line of the file\n".repeat(500) };
  const list: ModelMessage[] = [
    says("write it"),
    {
      role: "assistant",
      content: [
        { type: "text", text: "I write it" },
        { type: "tool-call", toolCallId: "c1", toolName: "write", input: write },
        { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
      ],
    },
    { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a1", approved: true }] },
  ];

  it("runs with the arguments that were approved, or goes with its approval", () => {
    const wide = selectTailWindow(list, { budgetTokens: 3_000, countTokens, shape: aiSdk });
    expect(wide.messages).toEqual(list);
    const narrow = selectTailWindow(list, { budgetTokens: 500, countTokens, shape: aiSdk, anchor: "latest-request" });
    expect(narrow.messages).toEqual([list[0], { role: "assistant", content: [{ type: "text", text: "I write it" }] }]);
  });

  it("may be shortened once it has run", () => {
    const ran: ModelMessage = {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c1", toolName: "write", output: { type: "text", value: "ok" } }],
    };
    const window = selectTailWindow([...list, ran], { budgetTokens: 500, countTokens, shape: aiSdk });
    expect([window.messages.length, window.shortened]).toEqual([3, [1]]);
    expect(findPairingProblems(window.messages, aiSdk)).toEqual([]);
  });
});

describe("many parallel calls", () => {
  const ids = Array.from({ length: 300 }, (_, at) => `call_${at}`);
  const parallel: ChatCompletionMessageParam[] = [
    says("go"),
    {
      role: "assistant",
      tool_calls: ids.map((id) => ({
        id,
        type: "function",
        function: { name: "read", arguments: `{"path":"${id}"}` },
      })),
    },
    ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: "r".repeat(1_200) }) as const),
  ];

  it("keep as many of the newest as fit", () => {
    const window = selectTailWindow(parallel, { budgetTokens: 13_000, countTokens, shape: openAi });
    const [asked] = window.messages;
    const kept = asked?.role === "assistant" ? (asked.tool_calls ?? []).map(({ id }) => id) : [];
    expect(kept).toEqual(ids.slice(-kept.length));
    expect(kept.length).toBeGreaterThan(160);
    expect(window.tokens).toBeGreaterThan(12_500);
    expect(findPairingProblems(window.messages, openAi)).toEqual([]);
  });

  it("keep the newest also where each call is an item of its own", () => {
    const items: ResponseInputItem[] = [
      ...ids.map((id) => ({ type: "function_call", call_id: id, name: "read", arguments: "{}" }) as const),
      ...ids.map((id) => ({ type: "function_call_output", call_id: id, output: "r".repeat(1_200) }) as const),
    ];
    const window = selectTailWindow(items, { budgetTokens: 2_000, countTokens, shape: openAiResponses });
    const kept = window.messages.flatMap((item) => (item.type === "function_call" ? [item.call_id] : []));
    expect(kept.length).toBeGreaterThan(20);
    expect(kept).toEqual(ids.slice(-kept.length));
  });

  it("give up what they cannot be split into where the shape cannot take a call or a result out", () => {
    const { withoutToolCalls: _, ...cannotSplit } = openAi;
    const shape: MessageShape<ChatCompletionMessageParam> = cannotSplit;
    for (const budgetTokens of [150, 2_000, 13_000]) {
      const window = selectTailWindow(parallel, { budgetTokens, countTokens, shape });
      expect(findPairingProblems(window.messages, shape)).toEqual([]);
    }
  });
});

describe("an exchange that cannot be made short enough", () => {
  it("keeps what was said beside its calls when it is the newest", () => {
    const list: MessageParam[] = [
      says("plot it"),
      {
        role: "assistant",
        content: [
          { type: "text", text: "I plot it" },
          { type: "tool_use", id: "c", name: "plot", input: manyFields(5_000) },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "ok" }] },
    ];
    const window = selectTailWindow(list, { budgetTokens: 500, countTokens, shape: anthropic });
    expect(window.messages).toEqual([{ role: "assistant", content: [{ type: "text", text: "I plot it" }] }]);
    expect([window.startIndex, window.omitted]).toEqual([1, [{ index: 2, reason: "budget" }]]);
  });

  it("with arguments that are no JSON is shortened like any other", () => {
    const list: ChatCompletionMessageParam[] = [
      {
        role: "assistant",
        tool_calls: [
          { id: "c", type: "function", function: { name: "write", arguments: `{"content":"${"x".repeat(40_000)}` } },
        ],
      },
      { role: "tool", tool_call_id: "c", content: "invalid JSON" },
    ];
    const window = selectTailWindow(list, { budgetTokens: 2_000, countTokens, shape: openAi });
    expect(window.messages.length).toBe(2);
    expect(window.tokens).toBeGreaterThan(1_800);
  });
});

describe("a unit that loses a picture or reasoning", () => {
  const history = Array.from({ length: 80 }, (_, at) =>
    at % 2 ? ({ role: "assistant", content: `answer ${"v ".repeat(300)}` } as const) : says(`why ${"w ".repeat(300)}`),
  );

  it("is followed by older messages while they fit", () => {
    const data = "A".repeat(400_000);
    const shot: MessageParam[] = [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "c", name: "computer", input: { action: "screenshot" } }],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c",
            content: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }],
          },
        ],
      },
    ];
    const list: MessageParam[] = [...history, ...shot];
    const window = selectTailWindow(list, { budgetTokens: 8_000, countTokens, shape: anthropic });
    expect(window.tokens).toBeGreaterThan(7_500);
    expect(window.shortened).toEqual([81]);
    expect(window.messages.slice(0, -1)).toEqual(list.slice(window.startIndex, -1));
    const again = selectTailWindow(window.messages, { budgetTokens: 8_000, countTokens, shape: anthropic });
    expect(again.messages).toEqual(window.messages);
  });
});

describe("items of the Responses API", () => {
  const message = (at: number): ResponseInputItem => ({
    type: "message",
    id: `msg_${at}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: `step ${at} ${"w ".repeat(300)}`, annotations: [] }],
  });

  it("that are messages in a row fill the window one by one, and nothing before is read", () => {
    const read = new Set<string>();
    const list = new Proxy([says("go"), ...Array.from({ length: 1_000 }, (_, at) => message(at))], {
      get(target, key, receiver) {
        if (/^\d+$/.test(String(key))) read.add(String(key));
        return Reflect.get(target, key, receiver);
      },
    });
    const window = selectTailWindow(list, { budgetTokens: 2_000, countTokens, shape: openAiResponses });
    expect(window.tokens).toBeGreaterThan(1_700);
    expect([window.shortened, window.messages.length > 8]).toEqual([[], true]);
    expect(read.size).toBeLessThan(window.messages.length + 4);
  });

  it("keep a tool that the provider ran, and the reasoning before it, with the message that came of them", () => {
    const list: ResponseInputItem[] = [
      says(`go ${"g ".repeat(200)}`),
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } },
      message(1),
    ];
    const window = selectTailWindow(list, { budgetTokens: 260, countTokens, shape: openAiResponses });
    expect(window.messages).toEqual(list.slice(1));
    const narrow = selectTailWindow([...list, says("n ".repeat(300))], {
      budgetTokens: 280,
      countTokens,
      shape: openAiResponses,
    });
    expect(narrow.startIndex).toBe(4);
  });

  it("keep no reasoning whose call was taken out, and that of the others", () => {
    const list: ResponseInputItem[] = [
      says("go"),
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "function_call", call_id: "gone", name: "f", arguments: "{}" },
      { type: "reasoning", id: "rs_2", summary: [] },
      { type: "function_call", call_id: "c2", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "c2", output: "ok" },
    ];
    const window = selectTailWindow(list, { budgetTokens: 5_000, countTokens, shape: openAiResponses });
    expect(window.messages).toEqual([list[0], ...list.slice(3)]);
  });
});

describe("what a provider's own tool found", () => {
  const searched: MessageParam = {
    role: "assistant",
    content: [
      { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "s",
        content: [{ type: "web_search_result", title: "t", url: "u", encrypted_content: "e".repeat(9_000) }],
      },
      { type: "text", text: "Answer" },
    ],
  };

  it("stays byte for byte, or goes with its call where the message would not fit", () => {
    const list: MessageParam[] = [says("search"), searched];
    const whole = selectTailWindow(list, { budgetTokens: 3_000, countTokens, shape: anthropic });
    expect(whole.messages).toEqual(list);
    const narrow = selectTailWindow(list, { budgetTokens: 500, countTokens, shape: anthropic });
    const said = ["[server_tool_use left out]", "[web_search_tool_result left out]", "Answer"];
    expect(narrow.messages).toEqual([
      list[0],
      { role: "assistant", content: said.map((text) => ({ type: "text", text })) },
    ]);
    expect([narrow.shortened, narrow.repaired]).toEqual([[1], []]);
  });
});

describe("what is kept ahead", () => {
  it("is the anchor also where nothing of the window can be kept", () => {
    const list: ModelMessage[] = [
      says("plot it"),
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c", toolName: "plot", input: manyFields(5_000) }],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c", toolName: "plot", output: { type: "text", value: "ok" } }],
      },
    ];
    const window = selectTailWindow(list, { budgetTokens: 500, countTokens, shape: aiSdk, anchor: "latest-request" });
    expect([window.messages, window.anchorIndex, window.startIndex]).toEqual([[list[0]], 0, 3]);
  });

  it("says that an anchor from outside the list was shortened", () => {
    const message = says("z".repeat(9_000));
    const list: ChatCompletionMessageParam[] = [{ role: "assistant", content: "working on it" }];
    const window = selectTailWindow(list, { budgetTokens: 400, countTokens, shape: openAi, anchor: { message } });
    expect(window.messages.length).toBe(2);
    expect([window.shortened, window.repaired]).toEqual([[-1], []]);
    const whole = selectTailWindow(list, { budgetTokens: Infinity, countTokens, shape: openAi, anchor: { message } });
    expect([whole.messages, whole.shortened, whole.repaired]).toEqual([[message, ...list], [], []]);
  });

  it("takes at most half of the budget where it is pinned, so that the newest message keeps the other half", () => {
    const list: ChatCompletionMessageParam[] = [
      says("a"),
      { role: "developer", content: "d".repeat(8_000) },
      says(`newest question ${"q".repeat(1_200)}`),
    ];
    const pinned = (message: ChatCompletionMessageParam) => message.role === "developer";
    const window = selectTailWindow(list, { budgetTokens: 500, countTokens, shape: openAi, pinned });
    expect(window.messages.map(({ role }) => role)).toEqual(["developer", "user"]);
    expect(window.messages.map(countTokens).map((tokens) => tokens > 240)).toEqual([true, true]);
    const unbounded = selectTailWindow(list, { budgetTokens: Infinity, countTokens, shape: openAi, pinned });
    expect(unbounded.messages).toEqual(list);
    const newest = selectTailWindow(list.slice(0, 2), { budgetTokens: 500, countTokens, shape: openAi, pinned });
    expect(newest.tokens).toBeGreaterThan(450);
  });
});

describe("a mistake of the caller", () => {
  const list: ChatCompletionMessageParam[] = [says("a"), says("b")];
  const broken = [list[0], null] as ChatCompletionMessageParam[];
  const select =
    (options: object, messages = list) =>
    () =>
      selectTailWindow(messages, { budgetTokens: 100, countTokens, shape: openAi, ...options });

  it("is named with its value", () => {
    expect(select({ shape: undefined })).toThrow(new TypeError("Invalid shape: undefined"));
    expect(select({}, broken)).toThrow(new TypeError("Invalid role of message 1: null"));
    expect(select({ anchor: "latest" })).toThrow(new TypeError("Invalid anchor: latest"));
    expect(select({ anchor: { message: undefined } })).toThrow(new TypeError("Invalid anchor: [object Object]"));
    expect(select({ countTokens: () => Infinity })).toThrow(
      new RangeError("Invalid countTokens of message 1: Infinity"),
    );
  });
});

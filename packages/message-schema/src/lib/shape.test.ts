import { describe, expect, it } from "vitest";
import type { AssistantMessage, Message, ToolResultMessage } from "./message.ts";
import { shape } from "./shape.ts";

const countJson = (message: Message): number => Math.ceil(JSON.stringify(message).length / 4);

const result = (text: string): ToolResultMessage => ({
  id: "r",
  role: "toolResult",
  toolCallId: "c1",
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
});

const assistant = (content: AssistantMessage["content"]): AssistantMessage => ({
  id: "a",
  role: "assistant",
  content,
  stopReason: "toolUse",
});

describe("shape.shorten", () => {
  it("keeps head and tail of a tool result and says how much is gone", () => {
    const short = shape.shorten(result(`head${"x".repeat(4_000)}tail`), 100, countJson);
    expect(countJson(short)).toBeLessThanOrEqual(100);
    expect(countJson(short)).toBeGreaterThan(90);
    const [part] = (short as ToolResultMessage).content;
    const [, head, gone, tail] =
      /^(headx+)\[… (\d+) characters left out …\](x+tail)$/.exec(part?.type === "text" ? part.text : "") ?? [];
    expect(Number(gone) + (head?.length ?? 0) + (tail?.length ?? 0)).toBe(4_008);
  });

  it("says the sum in one marker when a text is shortened twice", () => {
    const once = shape.shorten(result("x".repeat(4_000)), 200, countJson);
    const twice = shape.shorten(once, 100, countJson) as ToolResultMessage;
    const text = twice.content[0]?.type === "text" ? twice.content[0].text : "";
    const markers = [...text.matchAll(/\[… (\d+) characters left out …\]/g)];
    expect(markers.length).toBe(1);
    expect(Number(markers[0]?.[1]) + text.length - (markers[0]?.[0].length ?? 0)).toBe(4_000);
  });

  it("never edits reasoning, and shortens arguments inside their strings", () => {
    const thinking = { type: "thinking", thinking: "t".repeat(200), signature: "sig" } as const;
    const long = assistant([
      thinking,
      {
        type: "toolCall",
        id: "c1",
        name: "write",
        arguments: { path: "a.ts", lines: [{ text: "y".repeat(4_000) }], n: 1 },
      },
    ]);
    const short = shape.shorten(long, 200, countJson) as AssistantMessage;
    expect(countJson(short)).toBeLessThanOrEqual(200);
    expect(short.content[0]).toBe(thinking);
    const [, call] = short.content;
    expect(call).toMatchObject({ id: "c1", name: "write", arguments: { path: "a.ts", n: 1 } });
    expect(JSON.stringify(call)).toContain("characters left out");
  });

  it("gives the same object back when it fits, and gives pictures of results up first", () => {
    const small = result("ok");
    expect(shape.shorten(small, 100, countJson)).toBe(small);
    const picture = {
      ...result("seen"),
      content: [
        { type: "image", data: "A".repeat(4_000), mimeType: "image/png" },
        { type: "text", text: "seen" },
      ],
    } as const;
    expect(shape.shorten(picture, 100, countJson)).toEqual({
      ...picture,
      content: [
        { type: "text", text: "[image left out]" },
        { type: "text", text: "seen" },
      ],
    });
  });
});

describe("shape", () => {
  it("takes out the last of two calls with equal ids", () => {
    const [first, second] = [1, 2].map((n) => ({ type: "toolCall", id: "c", name: "f", arguments: { n } }) as const);
    const message = assistant([{ type: "text", text: "go" }, ...(first && second ? [first, second] : [])]);
    expect(shape.withoutToolCalls(message, ["c"])).toEqual({
      ...message,
      content: [{ type: "text", text: "go" }, first],
    });
    expect(shape.withoutToolCalls(message, ["d"])).toBe(message);
  });

  it("SC-03 takes blank text out and lets a silent result say that there was no output", () => {
    const call = { type: "toolCall", id: "c", name: "f", arguments: {} } as const;
    expect(shape.withoutBlankText(assistant([{ type: "text", text: " \n" }, call]))).toEqual(assistant([call]));
    expect(shape.withoutBlankText(result(""))).toEqual({
      ...result(""),
      content: [{ type: "text", text: "(no output)" }],
    });
    expect(
      shape.isEmpty(
        assistant([
          { type: "thinking", thinking: "…" },
          { type: "text", text: "" },
        ]),
      ),
    ).toBe(true);
    expect(shape.isEmpty({ id: "u", role: "user", content: "  " })).toBe(true);
    expect(shape.isEmpty(result(""))).toBe(false);
  });

  it("takes injected text for no request and a failed message for discarded", () => {
    expect(shape.isRequest({ id: "u", role: "user", content: "go" })).toBe(true);
    expect(shape.isRequest({ id: "u", role: "user", content: "go", origin: "injected" })).toBe(false);
    expect(shape.isDiscarded({ ...assistant([]), stopReason: "aborted" })).toBe(true);
    expect(shape.isDiscarded({ ...assistant([]), stopReason: "length" })).toBe(false);
  });
});

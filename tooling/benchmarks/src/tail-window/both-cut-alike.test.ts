import { type Message, shape } from "@holdfast/message-schema";
import { type PiMessage, shape as pi } from "@holdfast/tail-window/pi";
import { expect, test } from "vitest";

const countTokens = (message: object): number => Math.ceil(JSON.stringify(message).length / 4);

test("a stored message and the same message of pi are shortened to the same text", () => {
  const content = [
    { type: "text" as const, text: "lorem 🪸 ".repeat(500) },
    { type: "toolCall" as const, id: "c", name: "write", arguments: { path: "a.ts", lines: ["x".repeat(3_000)] } },
  ];
  const stored: Message = { id: "a", role: "assistant", content, stopReason: "toolUse" };
  const ofPi: PiMessage & { id: string } = { id: "a", role: "assistant", content, stopReason: "toolUse" };
  for (const maxTokens of [0, 100, 400, 1_000, 1_900]) {
    expect(shape.shorten(stored, maxTokens, countTokens)).toEqual(pi.shorten(ofPi, maxTokens, countTokens));
  }
});

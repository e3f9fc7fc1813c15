import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@holdfast/message-schema";
import { describeWithSessions, openSessionsDir } from "@holdfast/test-kit";
import { createTokenCounter, type TokenCounter } from "@holdfast/token-counter";
import { readTranscript } from "@holdfast/transcripts";
import { get_encoding, type Tiktoken } from "tiktoken";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const isHandRun = Number(process.env.HOLDFAST_RUNS ?? 1) >= 10;
const encodings = isHandRun ? (["o200k_base", "cl100k_base"] as const) : (["o200k_base"] as const);
/** An unbroken run of this length takes tiktoken seconds. */
const slowRun = /[^\s]{20000}|\s{20000}/;

/** Every text of a message that its size is made of. */
function textsOf(message: Message): string[] {
  const texts = message.role === "toolResult" ? [message.toolName] : [];
  if (typeof message.content === "string") return [...texts, message.content];
  for (const part of message.content) {
    if (part.type === "text") texts.push(part.text);
    if (part.type === "thinking") texts.push(part.thinking);
    if (part.type === "toolCall") texts.push(part.name, JSON.stringify(part.arguments));
  }
  return texts;
}

describeWithSessions("recorded sessions", () => {
  const directory = openSessionsDir() ?? "";
  const names = readdirSync(directory);

  describe.each(encodings)("%s", (encoding) => {
    let reference: Tiktoken;
    let counter: TokenCounter;
    const known = new Set<string>();
    beforeAll(async () => {
      reference = get_encoding(encoding);
      counter = await createTokenCounter({ encoding });
    });
    afterAll(() => {
      reference.free();
      counter.dispose();
    });

    test.each(names)("every text of %s counts as many tokens as the encoder makes of it", async (name) => {
      const { conversations } = await readTranscript(join(directory, name));
      const messages = conversations.flatMap(({ messages }) => messages);
      expect(messages.length).toBeGreaterThan(0);
      for (const text of messages.flatMap(textsOf)) {
        if (known.has(text) || slowRun.test(text)) continue;
        known.add(text);
        if (counter.countText(text) !== reference.encode_ordinary(text).length) {
          expect(counter.countText(text), text.slice(0, 200)).toBe(reference.encode_ordinary(text).length);
        }
      }
    });
  });
});

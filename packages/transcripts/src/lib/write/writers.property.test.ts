import type { Message } from "@holdfast/message-schema";
import { transcriptArbitrary } from "@holdfast/test-kit";
import { modelMessageSchema } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTranscript } from "../read-transcript.ts";
import { toAiSdk } from "./ai-sdk.ts";
import { toAnthropic } from "./anthropic.ts";
import { toOpenAiChat } from "./openai-chat.ts";
import { toPiSession } from "./pi.ts";

const numRuns = 150 * Number(process.env.HOLDFAST_RUNS ?? 1);
const options = { numRuns, seed: 20_260 };
const anyTranscript = transcriptArbitrary(fc, { hugeResultWords: 20 }) as fc.Arbitrary<Message[]>;

async function readBack(form: unknown): Promise<readonly Message[]> {
  const file = await readTranscript(new TextEncoder().encode(JSON.stringify(form)));
  return file.conversations[0]?.messages ?? [];
}

/** All strings of a value. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

function textsOf(form: unknown): string[] {
  if (typeof form !== "object" || form === null) return [];
  const own = "text" in form && typeof form.text === "string" ? [form.text] : [];
  const content = "content" in form && typeof form.content === "string" ? [form.content] : [];
  return [...own, ...content, ...Object.values(form).flatMap(textsOf)];
}

test("an Anthropic request alternates from the user on, each call answered at the start of the next message", () => {
  fc.assert(
    fc.property(anyTranscript, (transcript) => {
      const { messages } = toAnthropic(transcript);
      messages.forEach((message, index) => {
        expect(message.role).toBe(index % 2 === 0 ? "user" : "assistant");
        expect(message.content.length).toBeGreaterThan(0);
        const asked = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
        if (asked.length === 0) return;
        const next = messages[index + 1]?.content.slice(0, asked.length) ?? [];
        expect(next.map((block) => (block.type === "tool_result" ? block.tool_use_id : block.type))).toEqual(asked);
      });
      const results = messages.flatMap((message) => message.content.filter((block) => block.type === "tool_result"));
      const calls = messages.flatMap((message) => message.content.filter((block) => block.type === "tool_use"));
      expect(results).toHaveLength(calls.length);
      expect(new Set(calls.map((call) => "id" in call && call.id)).size).toBe(calls.length);
    }),
    options,
  );
});

test("an OpenAI request has the results of every call directly behind it, and no others", () => {
  fc.assert(
    fc.property(anyTranscript, (transcript) => {
      const messages = toOpenAiChat(transcript);
      const due: string[] = [];
      for (const message of messages) {
        if (message.role === "tool") expect(message.tool_call_id).toBe(due.shift());
        else expect(due).toEqual([]);
        if (message.role === "assistant") due.push(...(message.tool_calls ?? []).map((call) => call.id));
      }
      expect(due).toEqual([]);
    }),
    options,
  );
});

test("the AI SDK's own schema takes what is written for it", () => {
  fc.assert(
    fc.property(anyTranscript, (transcript) => {
      for (const message of toAiSdk(transcript).messages) modelMessageSchema.parse(message);
    }),
    options,
  );
});

test("no form holds blank text or half a surrogate pair", () => {
  const broken: Message = { id: "broken", role: "user", content: "half \ud83d of a pair" };
  const call: Message = {
    id: "call",
    role: "assistant",
    content: [{ type: "toolCall", id: "c", name: "write", arguments: { "\udc00": ["\ud800"] } }],
    stopReason: "toolUse",
  };
  const result: Message = {
    id: "result",
    role: "toolResult",
    toolCallId: "c",
    toolName: "write",
    content: [{ type: "text", text: "\udfff" }],
    isError: false,
  };
  fc.assert(
    fc.property(anyTranscript, (transcript) => {
      const all = [...transcript, broken, call, result];
      for (const form of [toAnthropic(all), toOpenAiChat(all), toAiSdk(all)]) {
        expect(textsOf(form).filter((text) => text.trim() === "")).toEqual([]);
        expect(stringsOf(form).filter((text) => /\p{Surrogate}/u.test(text))).toEqual([]);
      }
    }),
    options,
  );
});

test("what was written and read back is written the same again", async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, async (transcript) => {
      const anthropic = toAnthropic(transcript);
      if (anthropic.messages.length > 0) expect(toAnthropic(await readBack(anthropic))).toEqual(anthropic);
      const openAi = toOpenAiChat(transcript);
      if (openAi.length > 0) expect(toOpenAiChat(await readBack({ messages: openAi }))).toEqual(openAi);
      const aiSdk = toAiSdk(transcript);
      if (aiSdk.messages.length > 0) expect(toAiSdk(await readBack(aiSdk))).toEqual(aiSdk);
    }),
    options,
  );
});

test("a pi session gives every message back, with its id and its place in the user's role", async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, async (transcript) => {
      const session = toPiSession(transcript, { id: "s", cwd: "/w" });
      const file = await readTranscript(new TextEncoder().encode(session));
      const said = transcript.filter((message) => message.role !== "system");
      const read = file.conversations[0]?.messages ?? [];
      const main = (message: Message) => ({
        id: message.id,
        role: message.role,
        content: message.content,
        origin: "origin" in message ? message.origin : undefined,
      });
      expect(read.map(main)).toEqual(said.map(main));
    }),
    options,
  );
});

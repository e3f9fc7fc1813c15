import type { Message } from "@holdfast/message-schema";
import { toAiSdk } from "@holdfast/transcripts/to-ai-sdk";
import { toAnthropic } from "@holdfast/transcripts/to-anthropic";
import { toOpenAiChat } from "@holdfast/transcripts/to-openai-chat";
import { toPi } from "@holdfast/transcripts/to-pi";
import { expect, test } from "vitest";
import {
  type Complete,
  conversation,
  counter,
  failing,
  good,
  idsOf,
  sent,
  setup,
  words,
} from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

/** The roles each writer sends, system messages aside. */
function rolesByWriter(messages: readonly Message[]) {
  const roles = (written: readonly { readonly role: string }[]) =>
    written.map(({ role }) => role).filter((role) => role !== "system");
  return {
    openAiChat: roles(toOpenAiChat(messages)),
    anthropic: roles(toAnthropic(messages).messages),
    aiSdk: roles(toAiSdk(messages).messages),
    pi: roles(toPi(messages).messages),
  };
}

/** What a provider of each profile would refuse: it must start and end with the user, or alternate. */
function refusals(messages: readonly Message[]): string[] {
  const byWriter = rolesByWriter(messages);
  const input = ["user", "tool", "toolResult"];
  const ends = Object.entries(byWriter).flatMap(([writer, roles]) => [
    ...(roles[0] === "user" ? [] : [`${writer} starts with ${roles[0]}`]),
    ...(input.includes(roles.at(-1) ?? "nobody") ? [] : [`${writer} ends with ${roles.at(-1)}`]),
  ]);
  const neighbours = byWriter.anthropic.some((role, index, roles) => role === roles[index + 1]);
  return neighbours ? [...ends, "anthropic does not alternate"] : ends;
}

async function prepared(complete: Complete, messages: readonly Message[]) {
  const { compactor, store } = setup(complete);
  const request = sent(await compactor.prepareRequest({ messages }));
  const stored = JSON.stringify(await store.list("c"));
  return { request, stored };
}

test("RT-02 (a) a window that ends in a tool loop starts with the summary in the user's role and ends with the result", async () => {
  const { request } = await prepared(failing, conversation(24, "u999 a999[k] r(k)"));
  expect(request.compaction).toMatchObject({ outcome: "fallback", mode: "active_turn" });
  expect(request.messages.at(-1)?.role).toBe("toolResult");
  expect(refusals(request.messages)).toEqual([]);
});

test("RT-02 (b) a window that ends with a finished answer is followed by the prompt", async () => {
  const { compactor } = setup(failing);
  const messages = conversation(24, "u998 a998");
  expect(await compactor.endTurn({ messages })).toMatchObject({ outcome: "fallback", mode: "completed_turn" });
  const request = sent(await compactor.prepareRequest({ messages: [...messages, ...transcriptOf("u999")] }));
  expect(idsOf(request.messages).slice(-2)).toEqual(["a998", "u999"]);
  expect(refusals(request.messages)).toEqual([]);
});

test("RT-02 (c) an empty window leaves the summary in the user's role, not in the system's", async () => {
  const { compactor } = setup(() => good);
  const system = transcriptOf("s1");
  const messages = [...system, ...conversation(24)];
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
  expect(refusals(request.messages)).toEqual([]);
});

test("RT-02 (d) a request right after the summary is merged with it where the provider wants that, and nothing is put between", async () => {
  for (const messages of [conversation(24), conversation(24, "u999 a999[k] r(k)")]) {
    const { request, stored } = await prepared(() => good, messages);
    expect(request.messages.map(({ role }) => role)).toEqual(["user", "user"]);
    expect(rolesByWriter(request.messages)).toMatchObject({ anthropic: ["user"], openAiChat: ["user", "user"] });
    const [merged] = toAnthropic(request.messages).messages;
    expect(merged?.content.map((block) => block.type)).toEqual(["text", "text"]);
    expect(JSON.stringify(merged)).toContain("Done.");
    expect(JSON.stringify(merged)).toContain("u999 word");
    expect(refusals(request.messages)).toEqual([]);
    // Of the transcript's own messages nothing but the request is in the record.
    const ids = [...stored.matchAll(/"id":"(\w+)","role"/g)].map(([, id]) => id);
    expect(ids.every((id) => id === "u999")).toBe(true);
  }
});

test("a reminder sent as a user message of its own stands behind the tool result, where each provider takes it", async () => {
  const { compactor } = setup(() => good);
  // The call and its result are what brings the request past the second mark, of 1,080 tokens before the trigger.
  const messages = transcriptOf("u1 a1[k] r(k)", { text: () => words(500) });
  const counted = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const overheadTokens = compactor.budgets.trigger - 500 - counted;
  const request = sent(await compactor.prepareRequest({ messages, overheadTokens }));
  const content = request.reminder ?? "none";
  expect(content).toContain("tokens remain");
  const reminder: Message = { id: "reminder", role: "user", origin: "injected", content };
  const all = [...request.messages, reminder];
  const last = toAnthropic(all).messages.at(-1);
  expect(last?.role).toBe("user");
  expect(last?.content.map((block) => block.type)).toEqual(["tool_result", "text"]);
  expect(toOpenAiChat(all).slice(-2)).toMatchObject([{ role: "tool" }, { role: "user", content }]);
  expect(refusals(all)).toEqual([]);
});

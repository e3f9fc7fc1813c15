import { fileURLToPath } from "node:url";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { getFallbackPolicy } from "@holdfast/fallback-policy";
import type { Message } from "@holdfast/message-schema";
import { checkRequest, describeWithSessions, reportedCase } from "@holdfast/test-kit";
import { createTokenCounter, type TokenCounter } from "@holdfast/token-counter";
import { readTranscript } from "@holdfast/transcripts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplayedCompaction, type ReplayOptions, replayConversation } from "./replay.ts";

const sample = fileURLToPath(new URL("../../samples/pi-mono-coding-session.jsonl", import.meta.url));
let counter: TokenCounter;

beforeAll(async () => {
  counter = await createTokenCounter();
});
afterAll(() => counter.dispose());

/** A replay whose every request the independent checker has looked at. */
async function replay(messages: readonly Message[], options: Partial<ReplayOptions> & { contextWindow: number }) {
  const problems: string[] = [];
  const result = await replayConversation(messages, {
    counter,
    store: createMemoryStore(),
    maxOutputTokens: Math.min(16_384, Math.floor(options.contextWindow / 4)),
    overheadTokens: 0,
    policy: getFallbackPolicy("recent-window@2"),
    strategy: "summary",
    failure: "provider",
    failFrom: 3,
    ...options,
    onRequest: (request, number) => {
      if (request.kind !== "send") return;
      const startsWithUser = request.messages[0]?.id.startsWith("summary:") ?? false;
      const limits = {
        countTokens: (all: readonly Message[]) => counter.countMessages(all),
        limitTokens: request.limit,
      };
      for (const problem of checkRequest(request.messages, { ...limits, startsWithUser, endsWithInput: true })) {
        problems.push(`request ${number}: ${problem}`);
      }
    },
  });
  expect(problems).toEqual([]);
  expect([result.invalidRequests, result.overLimitRequests]).toEqual([[], []]);
  return result;
}

async function messagesOf(path: string): Promise<readonly Message[]> {
  return (await readTranscript(path)).conversations[0]?.messages ?? [];
}

/** What the issue of a lost memory asks of the request after a failed compaction. */
function expectRecentWindow(compaction: ReplayedCompaction | undefined, transcript: readonly Message[]) {
  if (compaction?.request.kind !== "send") throw new Error("no request was sent after the compaction");
  const { report, request } = compaction;
  expect(report).toMatchObject({ outcome: "fallback", failureReason: "summary_provider" });
  const [summary, ...rest] = request.messages;
  expect(summary?.id).toMatch(/^summary:/);
  const kept = rest[0]?.id === report.anchor ? rest.slice(1) : rest;
  expect(kept.some(({ role }) => role === "assistant")).toBe(true);
  expect(kept.some(({ role }) => role === "toolResult")).toBe(true);

  const first = transcript.findIndex(({ id }) => id === kept[0]?.id);
  const last = transcript.findIndex(({ id }) => id === kept.at(-1)?.id);
  const omitted = new Set(report.omitted.map(({ id }) => id));
  const suffix = transcript.slice(first, last + 1).filter(({ id }) => !omitted.has(id));
  expect(kept.map(({ id }) => id)).toEqual(suffix.map(({ id }) => id));
  const shortened = new Set(report.shortened);
  for (const [index, message] of kept.entries()) {
    if (shortened.has(message.id)) continue;
    expect(comparable(message)).toEqual(comparable(suffix[index]));
  }
  const windowTokens = counter.countMessages(report.checkpoint?.retainedTail ?? []);
  expect(windowTokens).toBeLessThanOrEqual(report.windowBudget ?? 0);
  expect(windowTokens).toBeGreaterThanOrEqual((report.windowBudget ?? 0) / 2);
  const latest = transcript
    .slice(0, last + 1)
    .findLast((message) => message.role === "user" && message.origin !== "injected");
  expect(rest.map(({ id }) => id)).toContain(latest?.id);
}

/** A message without what a request may leave out of it: usage, and calls that were never answered. */
function comparable(message: Message | undefined): unknown {
  if (message?.role !== "assistant") return message;
  const { usage: _, ...rest } = message;
  return { ...rest, content: rest.content.filter(({ type }) => type !== "toolCall") };
}

test("the third compaction of the sample fails and its recent window stays", async () => {
  const messages = await messagesOf(sample);
  const { compactions } = await replay(messages, { contextWindow: 128_000 });
  expect(compactions.map(({ report }) => report.outcome)).toEqual(["summary", "summary", "fallback"]);
  expectRecentWindow(compactions[2], messages);
});

test("in a tool loop without a request in its window the request is kept ahead of it", async () => {
  const messages = await messagesOf(sample);
  const { compactions } = await replay(messages, { contextWindow: 64_000 });
  expect(compactions[2]?.report.anchor).not.toBeNull();
  expect(compactions[2]?.report.retained.user).toBe(1);
  for (const compaction of compactions.slice(2)) expectRecentWindow(compaction, messages);
});

test("under latest-user@1 the same failure leaves one user message", async () => {
  const { compactions } = await replay(await messagesOf(sample), {
    contextWindow: 128_000,
    policy: getFallbackPolicy("latest-user@1"),
  });
  expect(compactions[2]?.report).toMatchObject({ outcome: "fallback", retained: { user: 1, assistant: 0, tool: 0 } });
});

test("the reported case: of 168 messages the anchor and a window that uses its budget stay", async () => {
  const messages = reportedCase().messages as readonly Message[];
  // One more answer, so that a request is made behind the last tool result.
  const answer: Message = {
    id: "answer",
    role: "assistant",
    content: [{ type: "text", text: "Done." }],
    stopReason: "stop",
  };
  const { compactions } = await replay([...messages, answer], { contextWindow: 128_000 });
  const third = compactions[2];
  // The 168 messages, and the request that the second compaction kept.
  expect(third?.report.range).toEqual({ user: 3 + 1, assistant: 34, tool: 131 });
  expect(third?.report.anchor).toBe(messages[reportedCase().requestIndex]?.id);
  expect(third?.report.checkpoint?.details).toMatchObject({
    failureReason: "summary_provider",
    fallback: "retained_tail",
    retainedTailShape: "recent_window",
    policy: "recent-window@2",
  });
  expectRecentWindow(third, messages);
});

test.each([
  ["none", undefined],
  ["provider", "summary_provider"],
  ["empty", "summary_provider"],
  ["cutoff", "summary_provider"],
  ["refusal", "summary_provider"],
  ["tool-call", "summary_provider"],
  ["timeout", "summary_provider"],
  ["overflow", "summary_budget"],
  ["budget", "summary_budget"],
  ["oversized", "checkpoint_oversized"],
] as const)("summaries that fail as %s: every request is valid and the record says %s", async (failure, reason) => {
  const messages = (await messagesOf(sample)).slice(0, 300);
  const { compactions } = await replay(messages, { contextWindow: 32_000, failure, failFrom: 1 });
  expect(compactions.length).toBeGreaterThan(1);
  expect(compactions[0]?.report.failureReason).toBe(reason);
});

test("a chain that breaks at its third request hands on what the first two read", async () => {
  const messages = (await messagesOf(sample)).slice(0, 300);
  const { compactions } = await replay(messages, {
    contextWindow: 64_000,
    summaryWindow: 8_000,
    failFrom: 1,
    failChunk: 3,
  });
  const first = compactions[0]?.report;
  expect(first).toMatchObject({ outcome: "fallback", failureReason: "summary_provider" });
  expect(first?.checkpoint?.summary).toContain("Compaction 1, request 2");
  expect(first?.uncovered[0]?.from).not.toBe(messages[0]?.id);
});

test("two replays of the same file give the same report", async () => {
  const messages = (await messagesOf(sample)).slice(0, 300);
  const options = { contextWindow: 32_000, failFrom: 2 };
  expect(JSON.stringify(await replay(messages, options))).toBe(JSON.stringify(await replay(messages, options)));
});

describeWithSessions("recorded pi sessions", (sessionFile) => {
  test.each([
    ["pi-v1__pi-mono__large-session.jsonl", 64_000],
    ["pi-v3__gajae__03-raddit-dashboard.jsonl", 64_000],
    ["pi-v3__gajae__04-awesome-agent-ide.jsonl", 64_000],
    ["pi-v3__trl__copilot-opus.jsonl", 16_000],
  ])("%s at %i keeps its recent window when the third compaction fails", async (name, contextWindow) => {
    const messages = await messagesOf(sessionFile(name));
    const { compactions } = await replay(messages, { contextWindow });
    expect(compactions.slice(0, 2).map(({ report }) => report.outcome)).toEqual(["summary", "summary"]);
    expectRecentWindow(compactions[2], messages);
  });
});

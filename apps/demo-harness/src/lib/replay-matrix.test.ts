import { readdirSync } from "node:fs";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { getFallbackPolicy } from "@holdfast/fallback-policy";
import type { Message } from "@holdfast/message-schema";
import { checkRequest, describeWithSessions, openSessionsDir } from "@holdfast/test-kit";
import { createTokenCounter, type TokenCounter } from "@holdfast/token-counter";
import { type Conversation, readTranscript } from "@holdfast/transcripts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FAILURE_KINDS } from "./offline-summary-model.ts";
import { type ReplayOptions, replayConversation } from "./replay.ts";

/** By hand, `HOLDFAST_RUNS=10`: every window, failure and option. In CI: the two that differ most. */
const isThorough = Number(process.env.HOLDFAST_RUNS ?? 1) > 1;
type Variant = Partial<ReplayOptions> & { readonly contextWindow: number };

const variants: readonly Variant[] = isThorough
  ? [8000, 16_000, 32_000, 64_000, 128_000, 1_000_000].flatMap((contextWindow): Variant[] => [
      ...FAILURE_KINDS.map((failure) => ({ contextWindow, failure })),
      { contextWindow, strategy: "fresh_window" },
      { contextWindow, summaryWindow: 8000 },
      { contextWindow, summaryWindow: 8000, failure: "provider", failChunk: 2 },
      { contextWindow, manualAt: 5 },
      { contextWindow, manualAt: 5, failure: "provider" },
      { contextWindow, overheadTokens: Math.floor(contextWindow * 0.6), failure: "provider" },
    ])
  : [
      { contextWindow: 8000, failure: "provider" },
      { contextWindow: 64_000, summaryWindow: 8000 },
    ];
/** Of files with hundreds of conversations so many are replayed in CI. */
const conversationsPerFile = isThorough ? Number.POSITIVE_INFINITY : 5;

let counter: TokenCounter;
beforeAll(async () => {
  counter = await createTokenCounter();
});
afterAll(() => counter.dispose());

describeWithSessions("every recorded session", (sessionFile) => {
  test.each(readdirSync(openSessionsDir() ?? "."))(
    "%s: every request is valid, within the limit and holds its task",
    async (name) => {
      const { conversations } = await readTranscript(sessionFile(name));
      for (const conversation of conversations.slice(0, conversationsPerFile)) {
        for (const variant of variants) await replayChecked(conversation, variant);
      }
    },
    3_600_000,
  );
});

async function replayChecked({ id, messages }: Conversation, variant: Variant): Promise<void> {
  const problems: string[] = [];
  const { contextWindow, overheadTokens = 0 } = variant;
  const maxOutputTokens = Math.min(16_384, Math.floor(contextWindow / 4));
  const hardLimit = contextWindow - Math.max(maxOutputTokens, Math.ceil(contextWindow / 20));
  let number = 0;
  let isDue = false;
  const requestEnds = endsOfRequests(messages);
  const result = await replayConversation(messages, {
    counter,
    store: createMemoryStore(),
    maxOutputTokens,
    overheadTokens,
    policy: getFallbackPolicy("recent-window@2"),
    strategy: "summary",
    failure: "none",
    failFrom: 1,
    ...variant,
    onRequest: (request, requestNumber) => {
      number = requestNumber;
      const transcript = messages.slice(0, requestEnds[number - 1]);
      const say = (problem: string) => problems.push(`request ${number}: ${problem}`);
      isDue ||= overheadTokens + counter.countMessages(transcript) >= Math.floor(0.9 * hardLimit) + slackTokens;
      if (request.kind === "aborted") return say("aborted");
      if (request.kind === "refused") {
        if (fixedTokens(transcript) + overheadTokens + leastCheckpoint < hardLimit) say("refused although it fits");
        return;
      }
      for (const problem of checkRequest(request.messages)) say(problem);
      const tokens = overheadTokens + counter.countMessages(request.messages);
      if (tokens >= hardLimit) say(`${tokens} tokens, the limit is ${hardLimit}`);
      const task = transcript.findLast((message) => message.role === "user" && message.origin !== "injected");
      const isInTurn = transcript.at(-1)?.role === "toolResult";
      const holdsTask = task === undefined || request.messages.some((message) => message.id === task.id);
      if (isInTurn && variant.strategy !== "fresh_window" && !holdsTask) say("the request message of the turn is gone");
    },
  });
  expect({ id, variant, problems }).toEqual({ id, variant, problems: [] });
  expect([result.invalidRequests, result.overLimitRequests]).toEqual([[], []]);
  if (isDue) expect(result.compactions.length).toBeGreaterThan(0);
}

/** Discarded and empty messages count in a transcript and not in a request. */
const slackTokens = 4000;
/** What a checkpoint needs beside what stays behind the boundary: a notice and a little of everything else. */
const leastCheckpoint = 512 + 200;

function endsOfRequests(messages: readonly Message[]): number[] {
  return messages.flatMap(({ role }, index) => {
    const before = messages[index - 1]?.role;
    return role === "assistant" && (before === "user" || before === "toolResult") ? [index] : [];
  });
}

/** Leading system messages, and the prompts at the end: no compaction can make them smaller. */
function fixedTokens(transcript: readonly Message[]): number {
  const leading = transcript.findIndex(({ role }) => role !== "system");
  const lastOther = transcript.findLastIndex(({ role }) => role === "assistant" || role === "toolResult");
  return counter.countMessages([...transcript.slice(0, leading), ...transcript.slice(lastOther + 1)]);
}

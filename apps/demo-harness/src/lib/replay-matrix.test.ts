import { readdirSync } from "node:fs";
import { type Checkpoint, rebuildContext } from "@holdfast/checkpoint-normalizer";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { getFallbackPolicy } from "@holdfast/fallback-policy";
import type { Message } from "@holdfast/message-schema";
import { checkRequest, describeWithSessions, openSessionsDir } from "@holdfast/test-kit";
import { createTokenCounter, type TokenCounter } from "@holdfast/token-counter";
import { type Conversation, readTranscript } from "@holdfast/transcripts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FAILURE_KINDS } from "./offline-summary-model.ts";
import { type Replay, type ReplayOptions, replayConversation } from "./replay.ts";

/** By hand, `HOLDFAST_RUNS=10`: every window, failure and option. In CI: those that differ most. */
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
/** Beside an overhead that leaves a message or two: what is refused, and what just fits. */
const tightVariants: readonly Variant[] = (isThorough ? [8000, 16_000, 128_000] : [8000]).flatMap(
  (contextWindow): Variant[] => [
    { contextWindow, overheadTokens: hardLimitOf(contextWindow) - 1000, failure: "provider" },
    { contextWindow, overheadTokens: hardLimitOf(contextWindow) - 750, strategy: "fresh_window" },
    { contextWindow, overheadTokens: hardLimitOf(contextWindow) },
  ],
);
const tightMessages = isThorough ? 1000 : 60;
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
        const { id, messages } = conversation;
        const start = { id, messages: messages.slice(0, tightMessages) };
        for (const variant of tightVariants) await replayChecked(start, variant);
      }
    },
    3_600_000,
  );
});

async function replayChecked({ id, messages }: Pick<Conversation, "id" | "messages">, variant: Variant): Promise<void> {
  const problems: string[] = [];
  const { contextWindow, overheadTokens = 0 } = variant;
  const hardLimit = hardLimitOf(contextWindow);
  let number = 0;
  let isDue = false;
  const requestEnds = endsOfRequests(messages);
  const result = await replayConversation(messages, {
    counter,
    store: createMemoryStore(),
    maxOutputTokens: maxOutputOf(contextWindow),
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
      if (request.kind === "refused") return;
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
  if (variant.strategy === "fresh_window") {
    const kept = result.compactions.flatMap(({ report }) => report.checkpoint?.retainedTail ?? []);
    expect(kept).toEqual([]);
  }
  const refusals = { id, variant, refused: expectedRefusals(messages, variant, result) };
  expect({ id, variant, refused: result.refusedRequests }).toEqual(refusals);
}

/** Discarded and empty messages count in a transcript and not in a request. */
const slackTokens = 4000;
/** The longest recovery notice, rounded up: an attempt may end in a fallback, which writes one. */
const noticeTokens = 200;
/** With less room than this beside its notice no checkpoint is attempted. */
const leastBesideNotice = 512;

function endsOfRequests(messages: readonly Message[]): number[] {
  return messages.flatMap(({ role }, index) => {
    const before = messages[index - 1]?.role;
    return role === "assistant" && (before === "user" || before === "toolResult") ? [index] : [];
  });
}

function maxOutputOf(contextWindow: number): number {
  return Math.min(16_384, Math.floor(contextWindow / 4));
}

function hardLimitOf(contextWindow: number): number {
  return contextWindow - Math.max(maxOutputOf(contextWindow), Math.ceil(contextWindow / 20));
}

/**
 * The refusals that the rules ask for, worked out from the file. A request is refused when it is too large as it stands
 * and no checkpoint can make it smaller: because nothing lies before what has to stay whole, or because that leaves no
 * room for one. Nothing else refuses: not a failure of the summary, and not the limiter, since it holds back the model
 * and no fallback. Of the replay only the records are looked at, for the size of what the request held already.
 */
function expectedRefusals(messages: readonly Message[], variant: Variant, { compactions }: Replay) {
  const { overheadTokens = 0, strategy = "summary" } = variant;
  const limit = hardLimitOf(variant.contextWindow);
  const leastCheckpoint = leastBesideNotice + (strategy === "fresh_window" ? 0 : noticeTokens);
  const leading = leadingSystem(messages);
  return endsOfRequests(messages).flatMap((end, index) => {
    const request = index + 1;
    const transcript = messages.slice(0, end);
    const overhead = overheadTokens + counter.countMessages(leading);
    const wholeFrom = Math.max(leading.length, startOfWhatStaysWhole(transcript));
    const whole = transcript.slice(wholeFrom);
    const fixed = overhead + counter.countMessages([...leadingSystem(whole), ...rebuildContext({ transcript: whole })]);
    const checkpoint = recordBefore(request, compactions);
    const mayShrink = wholeFrom > leading.length || checkpoint !== undefined;
    if (mayShrink && fixed + leastCheckpoint < limit) return [];
    const tokens = overhead + counter.countMessages(rebuildContext({ transcript, checkpoint }));
    if (tokens < limit) return [];
    return { request, reason: overhead >= limit ? "overhead_too_large" : "prompt_too_large", tokens, limit };
  });
}

/** The prompts at the end, and before them the newest exchange as long as one of its calls has no result. */
function startOfWhatStaysWhole(transcript: readonly Message[]): number {
  const prompts = transcript.findLastIndex(({ role }) => role === "assistant" || role === "toolResult") + 1;
  const newest = transcript.findLastIndex(
    (message) => message.role === "assistant" && !["error", "aborted", "deferred"].includes(message.stopReason),
  );
  const message = transcript[newest];
  const calls = message?.role === "assistant" ? message.content.filter(({ type }) => type === "toolCall").length : 0;
  const results = transcript.slice(newest + 1).filter(({ role }) => role === "toolResult").length;
  return calls > results ? Math.min(newest, prompts) : prompts;
}

function leadingSystem(messages: readonly Message[]): readonly Message[] {
  const firstOther = messages.findIndex(({ role }) => role !== "system");
  return firstOther < 0 ? messages : messages.slice(0, firstOther);
}

function recordBefore(request: number, compactions: Replay["compactions"]): Checkpoint | undefined {
  const installed = compactions.findLast(
    ({ beforeRequest, report }) =>
      report.checkpoint !== null &&
      (beforeRequest < request || (beforeRequest === request && report.trigger === "manual")),
  );
  return installed?.report.checkpoint ?? undefined;
}

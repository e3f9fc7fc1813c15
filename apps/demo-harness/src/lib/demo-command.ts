import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { getFallbackPolicy } from "@holdfast/fallback-policy";
import { createTokenCounter } from "@holdfast/token-counter";
import { openTranscript, pickConversation } from "./open-conversation.ts";
import type { Output } from "./output.ts";
import { type Replay, type ReplayedCompaction, replayConversation } from "./replay.ts";
import { toReplayOptions } from "./replay-settings.ts";
import { describeChecks, holdsWords } from "./replay-text.ts";
import { grouped, table } from "./table.ts";

const WINDOW = 128_000;
const FAIL_FROM = 3;

/** `holdfast` without a command: a real session whose third compaction fails, under both published policies. */
export async function demoCommand(samplePath: string, output: Output): Promise<number> {
  const conversation = pickConversation(await openTranscript(samplePath, output), 1);
  using counter = await createTokenCounter();
  const replayWith = (policyId: string) =>
    replayConversation(
      conversation.messages,
      toReplayOptions(
        {
          window: WINDOW,
          overhead: 0,
          policy: getFallbackPolicy(policyId),
          strategy: "summary",
          fail: "provider",
          failFrom: FAIL_FROM,
        },
        { counter, store: createMemoryStore() },
      ),
    );
  const before = await replayWith("latest-user@1");
  const now = await replayWith("recent-window@2");
  for (const line of describeDemo(before, now)) output.line(line);
  return [before, now].some(
    ({ invalidRequests, overLimitRequests }) => invalidRequests.length + overLimitRequests.length > 0,
  )
    ? 1
    : 0;
}

function describeDemo(before: Replay, now: Replay): string[] {
  const count = Math.max(before.compactions.length, now.compactions.length);
  const sections = Array.from({ length: count }, (_, index) => [
    "",
    ...describePair(index + 1, before.compactions[index], now.compactions[index]),
  ]);
  return [
    `A recorded session of the pi coding agent (${grouped(now.messages)} messages), replayed against`,
    `a model with a window of ${grouped(WINDOW)} tokens. From compaction ${FAIL_FROM} on every`,
    "summary request fails: latest-user@1 keeps one user message then,",
    "recent-window@2 keeps the real recent window.",
    ...sections.flat(),
    "",
    "latest-user@1:",
    ...describeChecks(before),
    "recent-window@2:",
    ...describeChecks(now),
    "",
    "Try it on a session of your own:",
    "npm start -- replay FILE --window 16000 --fail provider",
  ];
}

function describePair(
  index: number,
  before: ReplayedCompaction | undefined,
  now: ReplayedCompaction | undefined,
): string[] {
  const row = (label: string, words: (compaction: ReplayedCompaction) => string) => [
    `  ${label}`,
    before === undefined ? "-" : words(before),
    now === undefined ? "-" : words(now),
  ];
  return table(
    [`Compaction ${index}`, "latest-user@1", "recent-window@2"],
    [
      row("outcome", ({ report }) => report.outcome),
      row("reason", ({ report }) => report.failureReason ?? "-"),
      row("before request", ({ beforeRequest }) => grouped(beforeRequest)),
      row("tokens before", ({ report }) => grouped(report.tokensBefore)),
      row("tokens after", ({ report }) => grouped(report.tokensAfter)),
      row("next request holds", holdsWords),
    ],
  ).split("\n");
}

import { createHash } from "node:crypto";
import { type SummaryAnswer, SummaryModelError } from "@holdfast/chunked-summarizer";
import type { Message } from "@holdfast/message-schema";
import { checkRequest, transcriptArbitrary } from "@holdfast/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isRequest } from "./boundary.ts";
import type { PreparedRequest } from "./compactor-options.ts";
import { counter, good, setup } from "./fixtures/compactor-setup.ts";

const factor = Number(process.env.HOLDFAST_RUNS ?? 1);
const numRuns = 60 * factor;
const timeoutMs = 60_000 + 20_000 * factor;
const seed = process.env.HOLDFAST_RUNS === undefined ? 8 : undefined;
const runs = { numRuns, ...(seed === undefined ? {} : { seed }) };

// Conversations long enough for several compactions.
fc.configureGlobal({ baseSize: "large" });
const longEnough = { maxSteps: 80, hugeResultWords: 800 };

const windows = fc.constantFrom(1024, 2048, 4096, 8192);
const overheads = fc.constantFrom(0, 100, 300);

/** Answers by what it is asked, so that a process that starts again meets the same model. */
function answer(prompt: string): SummaryAnswer {
  const fate = Number.parseInt(createHash("sha256").update(prompt).digest("hex").slice(0, 6), 16) % 6;
  if (fate === 0) throw new SummaryModelError("transport", { status: 503 });
  if (fate === 1) throw new SummaryModelError("overflow");
  if (fate === 2) return { text: " ", stopReason: "stop" };
  if (fate === 3) return { text: `${good.text}\n${"long ".repeat(3000)}`, stopReason: "stop" };
  return good;
}

/** Where an agent asks its model: before every assistant message that follows a user's or a result. */
function requestPositions(messages: readonly Message[]): number[] {
  return messages.flatMap((message, index) => {
    const before = messages[index - 1]?.role;
    return message.role === "assistant" && (before === "user" || before === "toolResult") ? [index] : [];
  });
}

function listOf(request: PreparedRequest): string[] | string {
  return request.kind === "send" ? request.messages.map((message) => JSON.stringify(message)) : request.kind;
}

const isBlank = ({ content }: Message) =>
  typeof content === "string"
    ? content.trim() === ""
    : content.every((part) => part.type === "text" && part.text.trim() === "");

test(
  "whatever a transcript holds and however its summaries end, each request is one that a provider takes, and a restart sends it too",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        transcriptArbitrary(fc, longEnough),
        windows,
        overheads,
        async (transcript, contextWindow, overheadTokens) => {
          const model = { contextWindow, maxOutputTokens: Math.floor(contextWindow / 8) };
          const { compactor, make, store } = setup(({ prompt }) => answer(prompt), { model });
          let hasUnrecordedAttempt = false;
          for (const position of requestPositions(transcript)) {
            const messages: readonly Message[] = transcript.slice(0, position);
            const request = await compactor.prepareRequest({ messages, overheadTokens });
            if (request.kind === "aborted") throw new Error("nobody aborts");
            // An attempt that left no record is known to this process alone: another one may ask sooner.
            const { outcome, summaryRequests = 0 } = request.compaction ?? {};
            if (outcome === "failed" && summaryRequests > 0) hasUnrecordedAttempt = true;
            if (!hasUnrecordedAttempt) {
              const restarted = await make().prepareRequest({ messages, overheadTokens });
              expect(listOf(restarted)).toEqual(listOf(request));
            }
            if (request.kind === "refused") {
              expect(request.tokens).toBeGreaterThanOrEqual(compactor.budgets.hardLimit);
              continue;
            }
            const countTokens = (list: readonly Message[]) =>
              list.reduce<number>((sum, message) => sum + counter.countMessage(message), overheadTokens);
            const limits = { countTokens, limitTokens: compactor.budgets.hardLimit };
            const problems = checkRequest(request.messages, limits);
            // A conversation may hold nothing that can be sent.
            expect(problems.filter((problem) => !problem.includes("holds no message"))).toEqual([]);
            const latest = messages.findLast(isRequest);
            if (latest !== undefined && !isBlank(latest))
              expect(request.messages.map(({ id }) => id)).toContain(latest.id);
          }
          const generations = (await store.list("c")).map(
            (record) => JSON.parse(JSON.stringify(record)).details.generation,
          );
          expect(generations).toEqual(generations.map((_, index) => index + 1));
        },
      ),
      runs,
    );
  },
  timeoutMs,
);

test(
  "between two checkpoints each request begins with the whole one before it, unless a result came late",
  async () => {
    const without = ["displacedResult", "unansweredCall", "userInBetween"] as const;
    const inOrder = transcriptArbitrary(fc, { ...longEnough, without });
    await fc.assert(
      fc.asyncProperty(inOrder, windows, async (transcript, contextWindow) => {
        const model = { contextWindow, maxOutputTokens: Math.floor(contextWindow / 8) };
        const { compactor } = setup(({ prompt }) => answer(prompt), { model });
        let before: readonly string[] = [];
        let generation = 0;
        for (const position of requestPositions(transcript)) {
          const request = await compactor.prepareRequest({ messages: transcript.slice(0, position) });
          const list = listOf(request);
          if (request.kind !== "send" || typeof list === "string") continue;
          const now = request.compaction?.generation ?? generation;
          if (now === generation) expect(list.slice(0, before.length)).toEqual(before);
          generation = now;
          before = list;
        }
      }),
      runs,
    );
  },
  timeoutMs,
);

test(
  "a plan is JSON: what is printed is what was applied",
  async () => {
    await fc.assert(
      fc.asyncProperty(transcriptArbitrary(fc, longEnough), windows, async (transcript, contextWindow) => {
        const model = { contextWindow, maxOutputTokens: Math.floor(contextWindow / 8) };
        const { compactor } = setup(({ prompt }) => answer(prompt), { model });
        compactor.on("compaction_start", (event) => expect(JSON.parse(JSON.stringify(event))).toEqual(event));
        for (const position of requestPositions(transcript)) {
          await compactor.prepareRequest({ messages: transcript.slice(0, position) });
        }
      }),
      { ...runs, numRuns: Math.ceil(numRuns / 4) },
    );
  },
  timeoutMs,
);

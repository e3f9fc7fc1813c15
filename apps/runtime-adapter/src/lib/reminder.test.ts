import { deriveBudgets } from "@holdfast/fallback-policy/budgets";
import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { counter, failing, good, sent, setup, words } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";
import { reminderFor } from "./reminder.ts";

interface Growth {
  /** What the provider reports of each request, as a multiple of the count. Default: it reports nothing. */
  readonly reports?: (turn: number) => number;
  readonly restarts?: boolean;
  /** Every request fails once before it is answered. */
  readonly fails?: boolean;
}

/** 80 turns of 500 tokens at a trigger of 21,600: what is left before it at each request that carries a reminder. */
async function remindersOf({ reports, restarts = false, fails = false }: Growth = {}) {
  const { make } = setup(() => good);
  let compactor = make();
  const messages: Message[] = [];
  const reminders: { readonly turn: number; readonly remaining: number }[] = [];
  const compactions: number[] = [];
  for (let turn = 0; turn < 80; turn += 1) {
    const [prompt, failed, answer] = transcriptOf(`u${turn} a${turn}:error a1${turn}`, { text: () => words(246) });
    if (prompt === undefined || failed === undefined || answer?.role !== "assistant") throw new Error("no turn");
    messages.push(prompt);
    for (const attempt of fails ? [1, 2] : [2]) {
      if (restarts) compactor = make();
      const request = sent(await compactor.prepareRequest({ messages: [...messages] }));
      if (request.compaction !== undefined) compactions.push(turn);
      if (request.reminder !== undefined) {
        const remaining = compactor.budgets.trigger - request.tokens;
        reminders.push({ turn, remaining });
        expect(request.reminder).toContain(` ${remaining} tokens remain`);
        expect(JSON.stringify(request.messages)).not.toContain("reminder");
      }
      if (attempt === 1) messages.push({ ...failed, id: `${failed.id}-failed` });
      else {
        const counted = [...request.messages, answer].reduce((sum, message) => sum + counter.countMessage(message), 0);
        const totalTokens = Math.round(counted * (reports?.(turn) ?? 0));
        const usage = { input: totalTokens, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens };
        messages.push({ ...answer, id: `a${turn}`, ...(totalTokens > 0 ? { usage } : {}) });
      }
    }
  }
  return { reminders, compactions };
}

test.each([
  [8192, 1382, 276],
  [32_000, 5400, 1080],
  [128_000, 16_742, 2000],
  [1_000_000, 32_000, 2000],
])("a model of %i tokens is reminded with %i and with %i tokens left", (contextWindow, early, late) => {
  const budgets = deriveBudgets({ contextWindow, maxOutputTokens: 4000 });
  const isReminded = (remaining: number, before: number) => {
    const tokens = budgets.trigger - remaining;
    const size = { tokens, triggerTokens: tokens, calibration: 1, largestAnswered: budgets.trigger - before };
    return reminderFor({ size }, budgets) !== undefined;
  };
  expect([isReminded(early + 1, early + 2), isReminded(early, early + 1), isReminded(early - 1, early)]).toEqual([
    false,
    true,
    false,
  ]);
  expect([isReminded(late + 1, early), isReminded(late, late + 1), isReminded(late - 1, late)]).toEqual([
    false,
    true,
    false,
  ]);
});

test("two reminders before each compaction, the first at 5,400 tokens and the second at 1,080", async () => {
  const { reminders, compactions } = await remindersOf();
  expect(compactions).toHaveLength(1);
  const before = reminders.filter(({ turn }) => turn < (compactions[0] ?? 0));
  expect(before).toHaveLength(2);
  const [early, late] = before;
  expect(early?.remaining).toBeLessThanOrEqual(5400);
  expect(early?.remaining).toBeGreaterThan(5400 - 600);
  expect(late?.remaining).toBeLessThanOrEqual(1080);
  expect(late?.remaining).toBeGreaterThan(1080 - 600);
  // After the checkpoint the first mark is reached again.
  expect(reminders.slice(2)).toHaveLength(1);
});

test.each<[string, Growth]>([
  ["by a restart before every request", { restarts: true }],
  ["by an answer that failed and was asked for again", { fails: true }],
  ["by both", { restarts: true, fails: true }],
])("no reminder is repeated %s", async (_, growth) => {
  expect((await remindersOf(growth)).reminders.map(({ turn }) => turn)).toEqual(
    (await remindersOf()).reminders.map(({ turn }) => turn),
  );
});

test.each<[string, (turn: number) => number]>([
  ["more than was counted", () => 1.4],
  ["less than was counted", () => 0.7],
  ["now more, now less", (turn) => (turn % 2 === 0 ? 1.25 : 0.8)],
])("a provider that reports %s brings each reminder once", async (_, reports) => {
  const { reminders, compactions } = await remindersOf({ reports });
  const until = compactions[0] ?? Number.POSITIVE_INFINITY;
  expect(reminders.filter(({ turn }) => turn < until)).toHaveLength(2);
});

test("a leap over both marks brings one reminder, and what comes after it none", async () => {
  const { compactor } = setup(() => good);
  const messages = transcriptOf("u1", { text: () => words(21_000) });
  const leap = sent(await compactor.prepareRequest({ messages }));
  expect(leap.reminder).toBeDefined();
  const after = [...messages, ...transcriptOf("a1 u2")];
  expect(sent(await compactor.prepareRequest({ messages: after })).reminder).toBeUndefined();
});

test("the first request after a checkpoint has none before it: past a mark it carries the reminder", async () => {
  const { compactor, make } = setup(failing);
  const messages = transcriptOf("u1 a1 u2 a2 u3", { text: (id) => words(id === "u1" ? 12_000 : 3500) });
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.compaction?.outcome).toBe("fallback");
  const overheadTokens = compactor.budgets.trigger - 5000 - request.tokens;
  for (const process of [compactor, make()]) {
    expect(sent(await process.prepareRequest({ messages, overheadTokens })).reminder).toBeDefined();
  }
});

import type { SummaryAnswer } from "@holdfast/chunked-summarizer";
import { expect, test } from "vitest";
import { good, idsOf, sent, setup, words } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

/** A summary of about so many tokens. */
const saying = (tokens: number): SummaryAnswer => ({ ...good, text: `${good.text}\n${words(tokens)}` });

test("a summary that is larger than a smaller model's window is carried shortened, and asks nobody", async () => {
  const large = saying(7500);
  const limits = { contextWindow: 1_000_000, maxOutputTokens: 32_000 };
  const summaryModel = { ...limits, complete: async () => large };
  const { compactor, make, store } = setup(() => large, { model: limits, summaryModel });
  const past = transcriptOf("u1 a1 u2 a2", { text: () => words(300_000) });
  expect(await compactor.endTurn({ messages: past })).toMatchObject({ outcome: "summary", generation: 1 });
  compactor.setModel({ contextWindow: 8000, maxOutputTokens: 2000 });

  const messages = [...past, ...transcriptOf("u3")];
  const request = sent(await compactor.prepareRequest({ messages }));
  expect(request.compaction).toMatchObject({
    outcome: "fallback",
    failureReason: "no_new_history",
    summaryRequests: 0,
    generation: 2,
  });
  expect(idsOf(request.messages).slice(1)).toEqual(["u3"]);
  // Shortened for this model, and whole in the record for the next one.
  expect(await store.list("c")).toMatchObject([{}, { details: { carriedSummary: large.text.trim() } }]);
  const restarted = make({ model: { contextWindow: 8000, maxOutputTokens: 2000 } });
  expect(sent(await restarted.prepareRequest({ messages })).messages).toEqual(request.messages);
});

test("a prompt that fits only beside a shorter summary is sent beside one", async () => {
  const { compactor, asked } = setup(() => saying(950), { model: { contextWindow: 8000, maxOutputTokens: 2000 } });
  const past = transcriptOf("u1 a1 u2 a2", { text: () => words(1500) });
  expect(await compactor.endTurn({ messages: past })).toMatchObject({ outcome: "summary" });
  const requests = asked.length;
  const prompt = transcriptOf("u3", { text: () => words(5100) });
  const request = sent(await compactor.prepareRequest({ messages: [...past, ...prompt] }));
  expect(request.compaction).toMatchObject({ outcome: "fallback", failureReason: "no_new_history" });
  expect(request.messages.slice(1)).toEqual(prompt);
  expect(asked).toHaveLength(requests);
});

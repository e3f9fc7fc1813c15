import { expect, test } from "vitest";
import { afterAttempt, isOpen, type LimiterState } from "./limiter.ts";
import { transcriptOf } from "./message-notation.ts";

const hardLimit = 100_000;
const failed = {
  sinceMessageId: "u2",
  failureReason: "summary_provider",
  askedModel: true,
  freedTokens: 50_000,
} as const;
const useless = { sinceMessageId: "u2", askedModel: true, freedTokens: 4999 } as const;
const useful = { sinceMessageId: "u2", askedModel: true, freedTokens: 5000 } as const;

test("after a failed attempt no model is asked until a twentieth of the limit was added", () => {
  const state = afterAttempt(undefined, failed, hardLimit);
  expect(state).toEqual({ waitTokens: 5000, sinceMessageId: "u2", reason: "summary_provider" });
  const transcript = transcriptOf("u1 a1 u2 a2 u3 a3");
  expect(isOpen(state, transcript, () => 1666)).toBe(false);
  expect(isOpen(state, transcript, () => 1667)).toBe(true);
});

test("the wait doubles with each further attempt, up to a quarter of the limit", () => {
  let state: LimiterState | undefined;
  const waits = Array.from({ length: 5 }, () => {
    state = afterAttempt(state, failed, hardLimit);
    return state?.waitTokens;
  });
  expect(waits).toEqual([5000, 10_000, 20_000, 25_000, 25_000]);
});

test("FB-04 a success that freed nothing counts like a failure", () => {
  expect(afterAttempt(undefined, useless, hardLimit)).toEqual({ waitTokens: 5000, sinceMessageId: "u2" });
});

test("a useful success opens the limiter", () => {
  expect(afterAttempt(afterAttempt(undefined, failed, hardLimit), useful, hardLimit)).toBeUndefined();
});

test("a fallback that asked nobody and freed enough leaves the limiter as it is", () => {
  const state = afterAttempt(undefined, failed, hardLimit);
  const notAsked = { ...failed, failureReason: "summary_budget", askedModel: false } as const;
  expect(afterAttempt(state, notAsked, hardLimit)).toBe(state);
  expect(afterAttempt(undefined, notAsked, hardLimit)).toBeUndefined();
});

test("a transcript that was rewound past the attempt opens the limiter", () => {
  expect(isOpen(afterAttempt(undefined, failed, hardLimit), transcriptOf("u1 a1"), () => 1)).toBe(true);
});

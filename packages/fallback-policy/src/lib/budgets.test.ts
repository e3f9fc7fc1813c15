import { describe, expect, it } from "vitest";
import { deriveBudgets } from "./budgets.ts";

describe("deriveBudgets", () => {
  it("derives the budgets of a 200,000 token model", () => {
    expect(deriveBudgets({ contextWindow: 200_000, maxOutputTokens: 32_000 })).toEqual({
      contextWindow: 200_000,
      maxOutputTokens: 32_000,
      headroom: 32_000,
      hardLimit: 168_000,
      trigger: 151_200,
      keepRecent: 33_600,
      retainedUserMax: 20_000,
      summaryMax: 8192,
      guessed: false,
      warnings: [],
    });
  });

  it("derives the budgets of a 128,000 token model with 16,384 tokens of output", () => {
    expect(deriveBudgets({ contextWindow: 128_000, maxOutputTokens: 16_384 })).toMatchObject({
      headroom: 16_384,
      hardLimit: 111_616,
      trigger: 100_454,
      keepRecent: 22_323,
      summaryMax: 8000,
    });
  });

  it("derives the budgets of a 1,000,000 token model: a twentieth stays free and the window is capped", () => {
    expect(deriveBudgets({ contextWindow: 1_000_000, maxOutputTokens: 8192 })).toMatchObject({
      headroom: 50_000,
      hardLimit: 950_000,
      trigger: 855_000,
      keepRecent: 64_000,
      retainedUserMax: 20_000,
      summaryMax: 8192,
    });
  });

  it("derives the budgets of an 8,192 token model: the window is at most half of the limit", () => {
    expect(deriveBudgets({ contextWindow: 8192, maxOutputTokens: 1000 })).toMatchObject({
      headroom: 2048,
      hardLimit: 6144,
      trigger: 5529,
      keepRecent: 3072,
      retainedUserMax: 3072,
      summaryMax: 1000,
    });
  });

  it("leaves a window of one token one token", () => {
    expect(deriveBudgets({ contextWindow: 1, maxOutputTokens: 1 })).toMatchObject({
      headroom: 0,
      hardLimit: 1,
      trigger: 0,
    });
  });

  it("takes an output limit at the window as no limit of its own, and says so", () => {
    const budgets = deriveBudgets({ contextWindow: 128_000, maxOutputTokens: 128_000 });

    expect(budgets.maxOutputTokens).toBe(32_000);
    expect(budgets.headroom).toBe(32_000);
    expect(budgets.warnings).toEqual([
      'maxOutputTokens (128000) is not below contextWindow (128000): taken as "no limit of its own", 32000 tokens.',
    ]);
  });

  it("guesses an unknown window, says so, and believes the output limit it was given", () => {
    const budgets = deriveBudgets({ maxOutputTokens: 64_000 });

    expect(budgets).toMatchObject({ contextWindow: 32_768, maxOutputTokens: 64_000, hardLimit: 24_576, guessed: true });
    expect(budgets.warnings).toEqual([
      "The context window is not known and is guessed as 32768 tokens. The guess starts compactions; it holds no request back.",
    ]);
  });

  it("takes an unknown output limit as 16,384 tokens, at most a quarter of the window", () => {
    expect(deriveBudgets({ contextWindow: 200_000 }).maxOutputTokens).toBe(16_384);
    expect(deriveBudgets({ contextWindow: 8000 }).maxOutputTokens).toBe(2000);
    expect(deriveBudgets({ contextWindow: 200_000 }).warnings).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses a window of %d, naming it", (contextWindow) => {
    expect(() => deriveBudgets({ contextWindow })).toThrow(
      new RangeError(`contextWindow must be a positive integer of tokens, got ${contextWindow}`),
    );
  });

  it("refuses an output limit that is no positive integer, naming it", () => {
    expect(() => deriveBudgets({ contextWindow: 1000, maxOutputTokens: 0 })).toThrow(
      new RangeError("maxOutputTokens must be a positive integer of tokens, got 0"),
    );
  });
});

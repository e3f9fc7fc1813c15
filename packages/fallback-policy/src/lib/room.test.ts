import { describe, expect, it } from "vitest";
import { deriveBudgets } from "./budgets.ts";
import { room } from "./room.ts";

const budgets = deriveBudgets({ contextWindow: 128_000, maxOutputTokens: 16_384 });

describe("room", () => {
  it("keeps a tenth of the hard limit free, so that the next turn does not compact again", () => {
    // 100,454 - 10,000 - 11,162
    expect(room(budgets, { fixedTokens: 10_000, noticeTokens: 100 })).toBe(79_292);
  });

  it("keeps a quarter of what is left free when that is less", () => {
    // 100,454 - 80,454 = 20,000, less 5,000
    expect(room(budgets, { fixedTokens: 80_454, noticeTokens: 100 })).toBe(15_000);
  });

  it("gives the notice and 512 tokens when the hard limit still leaves them", () => {
    // Nothing is left below the trigger; 111,616 - 1 - 110,000 = 1,615 is left below the limit.
    expect(room(budgets, { fixedTokens: 110_000, noticeTokens: 100 })).toBe(612);
    expect(room(budgets, { fixedTokens: 111_003, noticeTokens: 100 })).toBe(612);
  });

  it("leaves no attempt when the hard limit does not leave them either", () => {
    expect(room(budgets, { fixedTokens: 111_004, noticeTokens: 100 })).toBeUndefined();
    expect(room(budgets, { fixedTokens: 500_000, noticeTokens: 100 })).toBeUndefined();
  });

  it("needs 512 tokens for a checkpoint without a notice", () => {
    expect(room(budgets, { fixedTokens: 111_103, noticeTokens: 0 })).toBe(512);
    expect(room(budgets, { fixedTokens: 111_104, noticeTokens: 0 })).toBeUndefined();
  });
});

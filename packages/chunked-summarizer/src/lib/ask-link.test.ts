import { describe, expect, it } from "vitest";
import { summaryOf, user } from "./fixtures/conversation.ts";
import { summarize } from "./fixtures/summarize.ts";

describe("the wait before a request is sent again", () => {
  async function waits(retryAfterMs: number | undefined, random: number) {
    const busy = { fail: "transport", status: 429, retryAfterMs } as const;
    const { result, clock } = summarize([user("u", "Hi")], [busy, busy, busy, summaryOf("x")], {
      random: () => random,
    });
    expect(await result).toMatchObject({ ok: true, requests: 4 });
    return clock.waited;
  }

  it("grows, and is up to a quarter longer so that clients spread", async () => {
    expect(await waits(undefined, 0)).toEqual([2000, 4000, 8000]);
    expect(await waits(undefined, 0.5)).toEqual([2250, 4500, 9000]);
  });

  it("is what the provider asks for, without spread, if that is a time to come", async () => {
    expect(await waits(500, 0.5)).toEqual([500, 500, 500]);
    for (const none of [0, -3000, Number.NaN]) expect(await waits(none, 0)).toEqual([2000, 4000, 8000]);
  });
});

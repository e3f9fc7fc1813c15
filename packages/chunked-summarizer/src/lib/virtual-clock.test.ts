import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { createVirtualClock } from "./virtual-clock.ts";

describe("a virtual clock", () => {
  it("lets an hour pass in no time, and notes it", async () => {
    const clock = createVirtualClock({ startMs: 1000 });
    await clock.sleep(3_600_000);
    expect(clock.now()).toBe(3_601_000);
    expect(clock.waited).toEqual([3_600_000]);
  });

  it("ends the shortest sleep first, however they were begun", async () => {
    const clock = createVirtualClock();
    const ends: string[] = [];
    await Promise.all([
      clock.sleep(300).then(() => ends.push(`late ${clock.now()}`)),
      clock.sleep(100).then(() => ends.push(`early ${clock.now()}`)),
      clock.sleep(200).then(() => ends.push(`middle ${clock.now()}`)),
    ]);
    expect(ends).toEqual(["early 100", "middle 200", "late 300"]);
  });

  it("does not pass while something else can still happen", async () => {
    const clock = createVirtualClock();
    const work = async () => {
      for (let step = 0; step < 1000; step++) await Promise.resolve();
      return "done";
    };
    expect(await Promise.race([clock.sleep(1).then(() => "deadline"), work()])).toBe("done");
  });

  it("forgets a sleep that is aborted, with the signal's reason", async () => {
    const clock = createVirtualClock();
    const abort = new AbortController();
    const sleep = clock.sleep(1000, abort.signal);
    abort.abort(new Error("stop"));
    await expect(sleep).rejects.toThrow("stop");
    await expect(clock.sleep(1, abort.signal)).rejects.toThrow("stop");
    await clock.sleep(5);
    expect(clock.now()).toBe(5);
    expect(clock.waited).toEqual([5]);
  });
});

describe("the machine's clock", () => {
  it("sleeps, and stops sleeping when it is told to", async () => {
    const before = systemClock.now();
    await systemClock.sleep(5);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
    const abort = new AbortController();
    const sleep = systemClock.sleep(3_600_000, abort.signal);
    abort.abort(new Error("stop"));
    await expect(sleep).rejects.toThrow("stop");
    await expect(systemClock.sleep(1, abort.signal)).rejects.toThrow("stop");
  });
});

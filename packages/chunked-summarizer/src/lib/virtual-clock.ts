import type { Clock } from "./clock.ts";

export interface VirtualClock extends Clock {
  /** Every wait that came to its end, in milliseconds, in the order they ended. */
  readonly waited: readonly number[];
}

interface Sleeper {
  readonly due: number;
  readonly ms: number;
  wake(): void;
}

/**
 * A clock that no one waits for. When the program has nothing left to do but sleep, time jumps to the end of the
 * shortest sleep. Work that is under way outside the program, such as a real request, is not seen: for that, hand in a
 * clock of your own.
 *
 * `startMs`: what `now()` says at first, 0 by default.
 */
export function createVirtualClock({ startMs = 0 }: { readonly startMs?: number } = {}): VirtualClock {
  const waited: number[] = [];
  const sleepers = new Set<Sleeper>();
  let now = startMs;
  let jumping = false;

  function jumpWhenIdle(): void {
    if (jumping) return;
    jumping = true;
    // A timer runs after every promise that can settle by itself has settled.
    setTimeout(() => {
      jumping = false;
      const next = [...sleepers].sort((a, b) => a.due - b.due)[0];
      if (next === undefined) return;
      sleepers.delete(next);
      now = Math.max(now, next.due);
      waited.push(next.ms);
      next.wake();
      if (sleepers.size > 0) jumpWhenIdle();
    }, 0);
  }

  return {
    waited,
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          due: now + ms,
          ms,
          wake: () => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        sleepers.add(sleeper);
        jumpWhenIdle();
      }),
  };
}

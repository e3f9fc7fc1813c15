import type { Message } from "@holdfast/message-schema";
import { transcriptArbitrary } from "@holdfast/test-kit";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEstimator } from "./create-estimator.ts";
import { createTokenCounter } from "./create-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

let exact: TokenCounter;
beforeAll(async () => {
  exact = await createTokenCounter();
});
afterAll(() => exact.dispose());

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const field of Object.values(value)) deepFreeze(field);
  }
  return value;
}

test("any frozen transcript counts as the sum of its messages, the same again, and as copies of them do", () => {
  fc.assert(
    fc.property(transcriptArbitrary(fc), (messages: readonly Message[]) => {
      const frozen = deepFreeze(structuredClone(messages));
      for (const counter of [exact, createEstimator()]) {
        const sizes = frozen.map(counter.countMessage);
        for (const size of sizes) expect(size).toBeGreaterThanOrEqual(4);
        const sum = sizes.reduce((total, size) => total + size, 0);
        expect(counter.countMessages(frozen)).toBe(sum);
        expect(counter.countMessages(messages)).toBe(sum);
      }
    }),
    { numRuns: 100 },
  );
});

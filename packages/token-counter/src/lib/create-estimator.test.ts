import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEstimator } from "./create-estimator.ts";
import { createTokenCounter } from "./create-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

const corpus = fileURLToPath(new URL("./fixtures/corpus", import.meta.url));
/** As the README states it. */
const statedError = 0.1;

describe("on every kind of text of the sample corpus", () => {
  let exact: TokenCounter;
  beforeAll(async () => {
    exact = await createTokenCounter();
  });
  afterAll(() => exact.dispose());

  test.each(readdirSync(corpus))("%s is estimated within a tenth", (name) => {
    const text = readFileSync(`${corpus}/${name}`, "utf8");
    const tokens = exact.countText(text);
    const estimated = createEstimator().countText(text);
    expect(Math.abs(estimated - tokens) / tokens).toBeLessThanOrEqual(statedError);
  });
});

test("Chinese is not taken for a quarter of a token a character", () => {
  const text = "数据库的备份由运维团队统一处理";
  expect(createEstimator().countText(text)).toBeGreaterThan(text.length * 0.6);
});

test("messages are counted as the exact counter counts them, but for the text", () => {
  const estimator = createEstimator();
  const image = { type: "image", data: "iVBO".repeat(1_000), mimeType: "image/png" } as const;
  expect(estimator.id).toBe("estimate");
  expect(estimator.countMessage({ id: "u1", role: "user", content: [image] })).toBe(4 + 2 + 1_600);
  expect(estimator.countMessage({ id: "u2", role: "user", content: "hello world" })).toBe(4 + 3);
});

test("an estimator that was disposed of counts no more", () => {
  let estimator: TokenCounter;
  {
    using inner = createEstimator();
    estimator = inner;
  }
  expect(() => estimator.countText("hello")).toThrow(new Error("the token counter estimate is disposed of"));
});

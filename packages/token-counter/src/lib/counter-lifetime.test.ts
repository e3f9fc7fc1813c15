import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createTokenCounter } from "./create-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

const MB = 1_000_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes outside the JavaScript heap, where the tables lie, after what is garbage is gone. */
async function tableBytes(): Promise<number> {
  // A weak reference that was read is kept until the task ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  await new Promise((resolve) => setImmediate(resolve));
  return process.memoryUsage().arrayBuffers;
}

test("counters that live at the same time share one set of tables", async () => {
  const before = await tableBytes();
  const counters = await Promise.all(Array.from({ length: 100 }, () => createTokenCounter()));
  const grown = (await tableBytes()) - before;
  expect(grown).toBeGreaterThan(5 * MB);
  expect(grown).toBeLessThan(20 * MB);
  for (const counter of counters) counter.dispose();
});

test("ten thousand counters made and released leave nothing behind", async () => {
  const before = await tableBytes();
  for (let made = 0; made < 10_000; made++) {
    using counter = await createTokenCounter();
    counter.countMessage({ id: "u1", role: "user", content: "hello world" });
  }
  expect((await tableBytes()) - before).toBeLessThan(MB);
});

test("the tables go with the last counter, whether it was disposed of or only forgotten", async () => {
  const before = await tableBytes();
  const kept = new Set<TokenCounter>([await createTokenCounter(), await createTokenCounter()]);
  expect((await tableBytes()) - before).toBeGreaterThan(5 * MB);
  const [disposed] = kept;
  disposed?.dispose();
  expect((await tableBytes()) - before).toBeGreaterThan(5 * MB);
  kept.clear();
  expect((await tableBytes()) - before).toBeLessThan(MB);
});

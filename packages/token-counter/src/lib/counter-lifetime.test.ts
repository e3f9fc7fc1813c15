import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createTokenCounter } from "./create-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

const MB = 1_000_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes after what is garbage is gone: outside the JavaScript heap, where the tables lie, and in it. */
async function usedBytes(): Promise<{ readonly tables: number; readonly heap: number }> {
  // A weak reference that was read is kept until the task ends, and a collection may still be giving arrays back beside
  // us: several tasks, each with a collection of its own.
  for (let round = 0; round < 6; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return { tables: arrayBuffers, heap: heapUsed };
}

async function tableBytes(): Promise<number> {
  return (await usedBytes()).tables;
}

async function makeAndRelease(): Promise<void> {
  using counter = await createTokenCounter();
  counter.countMessage({ id: "u1", role: "user", content: "hello world" });
}

test("counters that live at the same time share one set of tables", async () => {
  const before = await tableBytes();
  const counters = await Promise.all(Array.from({ length: 100 }, () => createTokenCounter()));
  const grown = (await tableBytes()) - before;
  expect(grown).toBeGreaterThan(5 * MB);
  expect(grown).toBeLessThan(20 * MB);
  for (const counter of counters) counter.dispose();
});

test("ten thousand counters made and released, a hundred in each task, leave nothing behind", async () => {
  // The first tables leave compiled code behind.
  await makeAndRelease();
  const before = await usedBytes();
  for (let task = 0; task < 100; task++) {
    for (let made = 0; made < 100; made++) await makeAndRelease();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const after = await usedBytes();
  // At most the set of the last task is still waiting for its collection; ten thousand would be a hundred gigabytes.
  expect(after.tables - before.tables).toBeLessThan(20 * MB);
  // A third of a kilobyte left by each.
  expect(after.heap - before.heap).toBeLessThan(3 * MB);
}, 60_000);

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

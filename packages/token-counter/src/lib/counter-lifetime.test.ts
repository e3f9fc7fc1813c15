import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { createTokenCounter } from "./create-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

const MB = 1_000_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

interface UsedBytes {
  /** Outside the JavaScript heap, where the tables lie. */
  readonly tables: number;
  readonly heap: number;
}

async function collectedBytes(): Promise<UsedBytes> {
  // In a task of its own: a weak reference that was read holds its target until the task ends.
  await new Promise((resolve) => setTimeout(resolve, 5));
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return { tables: arrayBuffers, heap: heapUsed };
}

/**
 * Collects until `isDone`, for at most 30 s. One collection is not enough: arrays are given back beside us, and counted as
 * gone only by the collection after that; and code that another thread is just compiling holds what it was compiled
 * for, on a busy machine for many collections.
 */
async function collectUntil(isDone: (bytes: UsedBytes) => boolean): Promise<UsedBytes> {
  const deadline = Date.now() + 30_000;
  let bytes = await collectedBytes();
  while (!isDone(bytes) && Date.now() < deadline) bytes = await collectedBytes();
  return bytes;
}

/** The bytes of the tables once they are under `bound`, or what they still are after 30 s. */
async function settledTables(bound: number): Promise<number> {
  return (await collectUntil(({ tables }) => tables - noTables < bound)).tables - noTables;
}

async function makeAndRelease(): Promise<void> {
  using counter = await createTokenCounter();
  counter.countMessage({ id: "u1", role: "user", content: "hello world" });
}

/** Before the first counter of this process: what a counter left behind must not hide in what is measured against. */
let noTables = 0;
beforeAll(async () => {
  noTables = (await collectedBytes()).tables;
});

test("counters that live at the same time share one set of tables", async () => {
  const counters = await Promise.all(Array.from({ length: 100 }, () => createTokenCounter()));
  const grown = await settledTables(20 * MB);
  expect(grown).toBeGreaterThan(5 * MB);
  expect(grown).toBeLessThan(20 * MB);
  for (const counter of counters) counter.dispose();
});

test("ten thousand counters made and released, a hundred in each task, leave nothing behind", async () => {
  // The first tables leave compiled code behind.
  await makeAndRelease();
  expect(await settledTables(MB)).toBeLessThan(MB);
  const before = await collectedBytes();
  for (let task = 0; task < 100; task++) {
    for (let made = 0; made < 100; made++) await makeAndRelease();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await settledTables(MB)).toBeLessThan(MB);
  // A third of a kilobyte left by each.
  const { heap } = await collectUntil((bytes) => bytes.heap - before.heap < 3 * MB);
  expect(heap - before.heap).toBeLessThan(3 * MB);
}, 120_000);

test("the tables go with the last counter, whether it was disposed of or only forgotten", async () => {
  expect(await settledTables(MB)).toBeLessThan(MB);
  const kept = new Set<TokenCounter>([await createTokenCounter(), await createTokenCounter()]);
  expect(await settledTables(20 * MB)).toBeGreaterThan(5 * MB);
  const [disposed] = kept;
  disposed?.dispose();
  // Twice: what is not held is gone by the second collection on an idle machine.
  await collectedBytes();
  expect((await collectedBytes()).tables - noTables).toBeGreaterThan(5 * MB);
  kept.clear();
  expect(await settledTables(MB)).toBeLessThan(MB);
}, 120_000);

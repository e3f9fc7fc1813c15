import { describe, expect, test } from "vitest";
import { record } from "./fixtures/record.ts";
import { testStoreContract } from "./fixtures/store-contract.ts";
import { createMemoryStore } from "./memory-store.ts";

describe("the memory store", () => {
  testStoreContract(async () => createMemoryStore());

  test("two stores share nothing", async () => {
    const [one, other] = [createMemoryStore(), createMemoryStore()];
    await one.append("c", record(1), { expectedGeneration: 0 });
    expect(await other.list("c")).toEqual([]);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { record } from "./fixtures/record.ts";
import { testStoreContract } from "./fixtures/store-contract.ts";
import type { SqlStore } from "./sql-store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

let directory: string;
const open: SqlStore[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sqlite-store-"));
});
afterAll(async () => {
  await Promise.all(open.map((store) => store.close()));
  await rm(directory, { recursive: true });
});

let files = 0;
function newPath(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

async function openStore(path = newPath()): Promise<SqlStore> {
  const store = await openSqliteStore(path);
  open.push(store);
  return store;
}

describe("the SQLite store", () => {
  testStoreContract(() => openStore());

  test("the next process reads what this one wrote, and the layout is brought up to date once", async () => {
    const path = newPath();
    const first = await openStore(path);
    await first.append("c", record(1), { expectedGeneration: 0 });
    await first.close();
    const second = await openStore(path);
    await second.append("c", record(2), { expectedGeneration: 1 });
    expect(await second.list("c")).toEqual([record(1), record(2)]);
  });

  test("several that open one new file at once all find it ready", async () => {
    const path = newPath();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(path)));
    await stores[0]?.append("c", record(1), { expectedGeneration: 0 });
    for (const store of stores) expect(await store.list("c")).toEqual([record(1)]);
  });

  test("a record that was damaged costs itself only", async () => {
    const path = newPath();
    const store = await openStore(path);
    for (const generation of [1, 2, 3]) {
      await store.append("c", record(generation), { expectedGeneration: generation - 1 });
    }
    const other = new Database(path);
    other.exec("update holdfast_checkpoint set record = '{\"half' where generation = 2");
    other.close();
    expect(await store.list("c")).toEqual([record(1), '{"half', record(3)]);
  });

  test("ST-02 a write that fails leaves the old chain whole, and the caller learns of it", async () => {
    const path = newPath();
    const store = await openStore(path);
    await store.append("c", record(1), { expectedGeneration: 0 });
    const other = new Database(path);
    other.exec(
      "create trigger full before insert on holdfast_checkpoint begin select raise(abort, 'disk is full'); end",
    );
    await expect(store.append("c", record(2), { expectedGeneration: 1 })).rejects.toMatchObject({
      name: "CheckpointStoreError",
      code: "write_failed",
    });
    other.exec("drop trigger full");
    other.close();
    expect(await store.list("c")).toEqual([record(1)]);
    expect(await store.append("c", record(2), { expectedGeneration: 1 })).toEqual({ ok: true, generation: 2 });
  });

  test("a file that is no database, and a directory that is not there, are refused when the store is opened", async () => {
    const path = newPath();
    await writeFile(path, "not a database, but long enough to have a header that is none".repeat(40));
    await expect(openSqliteStore(path)).rejects.toMatchObject({ name: "CheckpointStoreError" });
    await expect(openSqliteStore(join(directory, "nowhere", "x.db"))).rejects.toMatchObject({
      name: "CheckpointStoreError",
    });
  });

  test("a store that was closed rejects", async () => {
    const store = await openSqliteStore(newPath());
    await store.close();
    await expect(store.list("c")).rejects.toMatchObject({ name: "CheckpointStoreError", code: "read_failed" });
  });
});

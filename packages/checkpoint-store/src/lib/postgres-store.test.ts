import { type PostgresServer, startPostgresServer } from "@holdfast/test-kit/postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { record } from "./fixtures/record.ts";
import { testStoreContract } from "./fixtures/store-contract.ts";
import { openPostgresStore } from "./postgres-store.ts";
import type { SqlStore } from "./sql-store.ts";

let server: PostgresServer;
const open: SqlStore[] = [];
beforeAll(async () => {
  server = await startPostgresServer();
}, 120_000);
afterAll(async () => {
  await Promise.all(open.map((store) => store.close()));
  await server.stop();
});

async function openStore(connectionString: string): Promise<SqlStore> {
  const store = await openPostgresStore({ connectionString });
  open.push(store);
  return store;
}

describe("the PostgreSQL store", () => {
  testStoreContract(async () => openStore(await server.createDatabase()));

  test("several hosts that open a new database at once all find it ready, and one of them wins a generation", async () => {
    const database = await server.createDatabase();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(database)));
    const results = await Promise.all(
      stores.map((store, host) => store.append("c", record(1, `-${host}`), { expectedGeneration: 0 })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = results.findIndex(({ ok }) => ok);
    for (const store of stores) expect(await store.list("c")).toEqual([record(1, `-${winner}`)]);
  });

  test("ST-02 a write that fails leaves the old chain whole, and the store goes on after lost connections", async () => {
    const database = await server.createDatabase();
    const store = await openStore(database);
    await store.append("c", record(1), { expectedGeneration: 0 });
    const other = new Client({ connectionString: database });
    await other.connect();
    await other.query(
      "revoke all on holdfast_checkpoint from holdfast; alter table holdfast_checkpoint rename to away",
    );
    await expect(store.append("c", record(2), { expectedGeneration: 1 })).rejects.toMatchObject({
      name: "CheckpointStoreError",
    });
    await other.query("alter table away rename to holdfast_checkpoint; grant all on holdfast_checkpoint to holdfast");
    await other.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()",
    );
    await other.end();
    await expect.poll(() => store.list("c").catch(() => "not yet")).toEqual([record(1)]);
    expect(await store.append("c", record(2), { expectedGeneration: 1 })).toEqual({ ok: true, generation: 2 });
  });

  test("a server that goes down costs the operations meanwhile, and nothing once it is back", async () => {
    const store = await openStore(await server.createDatabase());
    await store.append("c", record(1), { expectedGeneration: 0 });
    await server.restart(async () => {
      const appended = store.append("c", record(2), { expectedGeneration: 1 });
      await expect(appended).rejects.toMatchObject({ name: "CheckpointStoreError", code: "read_failed" });
      await expect(store.list("c")).rejects.toMatchObject({ name: "CheckpointStoreError", code: "read_failed" });
    });
    expect(await store.list("c")).toEqual([record(1)]);
    expect(await store.append("c", record(2), { expectedGeneration: 1 })).toEqual({ ok: true, generation: 2 });
  });

  test("a server that is not there is refused when the store is opened", async () => {
    await expect(openPostgresStore({ connectionString: "postgres://x:y@127.0.0.1:1/z" })).rejects.toMatchObject({
      name: "CheckpointStoreError",
    });
  });
});

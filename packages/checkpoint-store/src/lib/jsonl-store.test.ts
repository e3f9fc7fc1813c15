import { appendFile, mkdtemp, open, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CheckpointStoreError } from "./checkpoint-store-error.ts";
import { record } from "./fixtures/record.ts";
import { testStoreContract } from "./fixtures/store-contract.ts";
import { createJsonlStore } from "./jsonl-store.ts";

let directory: string;
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "jsonl-store-"));
});
afterAll(() => rm(directory, { recursive: true }));

function newPath(): string {
  files += 1;
  return join(directory, `${files}.jsonl`);
}

async function filled(count: number): Promise<string> {
  const path = newPath();
  const store = createJsonlStore(path);
  for (let generation = 1; generation <= count; generation += 1) {
    await store.append("c", record(generation), { expectedGeneration: generation - 1 });
  }
  return path;
}

describe("the JSONL store", () => {
  testStoreContract(async () => createJsonlStore(newPath()));

  test("a reader makes no file", async () => {
    const path = newPath();
    expect(await createJsonlStore(path).list("c")).toEqual([]);
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("the next process reads what this one wrote", async () => {
    const path = await filled(3);
    expect(await createJsonlStore(path).list("c")).toEqual([record(1), record(2), record(3)]);
  });

  test("a store that is open sees what another one adds", async () => {
    const path = newPath();
    const [one, other] = [createJsonlStore(path), createJsonlStore(path)];
    await one.append("c", record(1), { expectedGeneration: 0 });
    expect(await other.append("c", record(1, "late"), { expectedGeneration: 0 })).toEqual({
      ok: false,
      reason: "conflict",
      newest: record(1),
    });
    await other.append("c", record(2), { expectedGeneration: 1 });
    expect(await one.list("c")).toEqual([record(1), record(2)]);
  });

  test("of two stores that write one generation at once one wins, and every reader agrees", async () => {
    const path = newPath();
    const stores = ["a", "b", "c", "d"].map((label) => ({ label, store: createJsonlStore(path) }));
    const results = await Promise.all(
      stores.map(({ label, store }) => store.append("c", record(1, label), { expectedGeneration: 0 })),
    );
    const winner = stores.find((_, position) => results[position]?.ok);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    for (const { store } of [...stores, { store: createJsonlStore(path) }]) {
      expect(await store.list("c")).toEqual([record(1, winner?.label)]);
    }
  });
});

describe("a file that was cut off or damaged", () => {
  test("cut at every byte of its last record it gives every record before it, and takes the next one", async () => {
    const path = await filled(2);
    const whole = await readFile(path);
    const lastStart = whole.lastIndexOf("\n\n") + 1;
    for (let length = lastStart; length < whole.length; length += 1) {
      await writeFile(path, whole.subarray(0, length));
      const store = createJsonlStore(path);
      expect(await store.list("c")).toEqual([record(1)]);
      const appended = await store.append("c", record(2, "again"), { expectedGeneration: 1 });
      // Only the line break is missing: the record was whole after all, and who was faster has won.
      const isWhole = length === whole.length - 1;
      expect(appended.ok).toBe(!isWhole);
      expect(await createJsonlStore(path).list("c")).toEqual([record(1), isWhole ? record(2) : record(2, "again")]);
    }
  });

  test("a bad line in the middle costs that line only, and is told once", async () => {
    const path = await filled(3);
    const lines = (await readFile(path, "utf8")).split("\n");
    const second = lines.findIndex((line) => line.includes("ck-2"));
    const startByte = lines.slice(0, second).join("\n").length + 1;
    for (const damage of ['{"half', "[]", '{"conversationId":"c"}', "\u0000\u0000", '{"checkpoint":{"details":{}}}']) {
      await writeFile(path, lines.with(second, damage).join("\n"));
      const onDamage = vi.fn();
      const store = createJsonlStore(path, { onDamage });
      expect(await store.list("c")).toEqual([record(1), record(3)]);
      expect(await store.append("c", record(4), { expectedGeneration: 3 })).toEqual({ ok: true, generation: 4 });
      expect(await store.list("c")).toHaveLength(3);
      expect(onDamage.mock.calls).toEqual([[{ path, startByte }]]);
    }
  });

  test("lines of other programs in the file are left alone", async () => {
    const path = await filled(1);
    await appendFile(path, '{"type":"message","text":"hello"}\nnot json\n');
    const store = createJsonlStore(path);
    await store.append("c", record(2), { expectedGeneration: 1 });
    expect(await store.list("c")).toEqual([record(1), record(2)]);
    expect(await readFile(path, "utf8")).toContain('{"type":"message","text":"hello"}\nnot json\n');
  });

  test("a file that became shorter is read from its beginning", async () => {
    const path = await filled(2);
    const store = createJsonlStore(path);
    expect(await store.list("c")).toHaveLength(2);
    const firstLine = (await readFile(path, "utf8")).indexOf("\n\n") + 1;
    await truncate(path, firstLine);
    expect(await store.list("c")).toEqual([record(1)]);
  });

  test("a file that somebody mended and put in its place is read from its beginning", async () => {
    const path = await filled(2);
    const store = createJsonlStore(path);
    expect(await store.list("c")).toHaveLength(2);
    await writeFile(`${path}.new`, `{"type":"note"}\n${await readFile(path, "utf8")}`);
    await rename(`${path}.new`, path);
    expect(await store.list("c")).toEqual([record(1), record(2)]);
    expect(await store.append("c", record(3), { expectedGeneration: 2 })).toEqual({ ok: true, generation: 3 });
    expect(await createJsonlStore(path).list("c")).toEqual([record(1), record(2), record(3)]);
  });

  test("a line longer than what is read at once, with letters across the cut, comes back whole", async () => {
    const path = newPath();
    const long = record(1, "", { summary: "語𝄞".repeat(500_000) });
    await createJsonlStore(path).append("c", long, { expectedGeneration: 0 });
    expect(await createJsonlStore(path).list("c")).toEqual([long]);
  });
});

describe("ST-02 a write that fails", () => {
  async function failing(step: "write" | "sync", fail: () => Promise<never>): Promise<() => void> {
    const file = await open(join(directory, "probe"), "a+");
    const spy = vi.spyOn(Object.getPrototypeOf(file), step).mockImplementationOnce(fail);
    await file.close();
    return () => spy.mockRestore();
  }

  test("leaves the old chain whole, and the caller learns of it", async () => {
    const path = await filled(1);
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const restore = await failing("write", async () => Promise.reject(full));
    const appended = createJsonlStore(path).append("c", record(2), { expectedGeneration: 1 });
    await expect(appended).rejects.toMatchObject({ name: "CheckpointStoreError", code: "write_failed", cause: full });
    restore();
    expect(await createJsonlStore(path).list("c")).toEqual([record(1)]);
  });

  test("after half a line leaves the old chain whole, and the next record stands", async () => {
    const path = await filled(1);
    const restore = await failing("write", async () => {
      await appendFile(path, '\n{"conversationId":"c","writeId":"x","checkpo');
      return { bytesWritten: 44 } as never;
    });
    const store = createJsonlStore(path);
    await expect(store.append("c", record(2), { expectedGeneration: 1 })).rejects.toBeInstanceOf(CheckpointStoreError);
    restore();
    expect(await createJsonlStore(path).list("c")).toEqual([record(1)]);
    expect(await store.append("c", record(2), { expectedGeneration: 1 })).toEqual({ ok: true, generation: 2 });
    expect(await createJsonlStore(path).list("c")).toEqual([record(1), record(2)]);
  });

  test("when only the flush fails leaves the whole record or nothing, and says that it failed", async () => {
    const path = await filled(1);
    const restore = await failing("sync", async () => Promise.reject(new Error("EIO")));
    const store = createJsonlStore(path);
    await expect(store.append("c", record(2), { expectedGeneration: 1 })).rejects.toMatchObject({
      code: "write_failed",
    });
    restore();
    expect(await store.list("c")).toEqual([record(1), record(2)]);
    expect((await store.append("c", record(2, "again"), { expectedGeneration: 1 })).ok).toBe(false);
    expect(await store.append("c", record(3), { expectedGeneration: 2 })).toEqual({ ok: true, generation: 3 });
  });

  test("a directory that is not there is a failed write and an empty chain", async () => {
    const store = createJsonlStore(join(directory, "nowhere", "x.jsonl"));
    expect(await store.list("c")).toEqual([]);
    await expect(store.append("c", record(1), { expectedGeneration: 0 })).rejects.toMatchObject({
      code: "write_failed",
    });
    await expect(createJsonlStore(directory).list("c")).rejects.toMatchObject({ code: "read_failed" });
  });
});

test("ST-04 a compaction that was killed leaves nothing running: nothing is written at its start", async () => {
  const path = await filled(1);
  const before = await readFile(path);
  // What a start looks like in another tool's log: a line that is no record here, twice and without an end.
  await appendFile(path, '{"type":"compaction_started"}\n{"type":"compaction_started"}\n');
  const store = createJsonlStore(path);
  expect(await store.list("c")).toEqual([record(1)]);
  expect(await store.append("c", record(2), { expectedGeneration: 1 })).toEqual({ ok: true, generation: 2 });
  expect((await readFile(path)).subarray(0, before.length)).toEqual(before);
});

import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { type PostgresServer, startPostgresServer } from "@holdfast/test-kit/postgres";
import { bundleProcess, type ProcessBundle } from "@holdfast/test-kit/process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DurableKind, openDurableStore } from "./fixtures/open-store.ts";
import { type RunWriterOptions, runWriter } from "./fixtures/run-writer.ts";

// HOLDFAST_RUNS=50 is the run of 500 records a writer and 200 kills a store.
const factor = Number(process.env.HOLDFAST_RUNS ?? 1);
const recordsEach = 10 * factor;
const kills = 4 * factor;
const timeoutMs = 60_000 + 15_000 * factor;

let bundle: ProcessBundle;
let server: PostgresServer;
beforeAll(async () => {
  [bundle, server] = await Promise.all([
    bundleProcess(new URL("./fixtures/writer-process.ts", import.meta.url)),
    startPostgresServer(),
  ]);
}, 120_000);
afterAll(async () => {
  await Promise.all([bundle.remove(), server.stop()]);
});

let places = 0;
async function newPlace(kind: DurableKind): Promise<string> {
  if (kind === "postgres") return server.createDatabase();
  places += 1;
  return join(bundle.directory, `${places}.${kind}`);
}

/** The conversation as a process that was just started finds it. */
async function readChain(kind: DurableKind, place: string): Promise<readonly { readonly modelId?: unknown }[]> {
  const store = await openDurableStore(kind, place);
  try {
    const chain = (await store.list("c")) as { modelId?: unknown; details: { generation: number } }[];
    expect(chain.map(({ details }) => details.generation)).toEqual(chain.map((_, index) => index + 1));
    return chain;
  } finally {
    await store.close?.();
  }
}

const writer = (options: Omit<RunWriterOptions, "script">) => runWriter({ script: bundle.script, ...options });

async function twoWriters(kind: DurableKind, place: string): Promise<void> {
  const runs = await Promise.all(["a", "b"].map((label) => writer({ kind, place, label, count: recordsEach })));
  expect(runs.map(({ end, errors }) => [end, errors])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  const chain = await readChain(kind, place);
  expect(chain).toHaveLength(2 * recordsEach);
  const [a, b] = runs.map(({ generations }) => generations);
  expect(a).toHaveLength(recordsEach);
  expect([...(a ?? []), ...(b ?? [])].sort((x, y) => x - y)).toEqual(chain.map((_, index) => index + 1));
  for (const generation of a ?? []) expect(chain[generation - 1]?.modelId).toBe("a");
}

async function killedWriters(kind: DurableKind, place: string): Promise<void> {
  let acknowledged = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    // Spread over the first writes, the same delays in every run.
    const killAfterMs = (kill * 7) % 31;
    const run = await writer({ kind, place, label: `w${kill}`, count: 100_000, killAfterMs });
    expect(run.end).toBe("SIGKILL");
    const chain = await readChain(kind, place);
    for (const generation of run.generations) expect(chain[generation - 1]?.modelId).toBe(`w${kill}`);
    acknowledged += run.generations.length;
    // Of each killed process at most the one record whose answer never arrived is there as well.
    expect(chain.length).toBeLessThanOrEqual(acknowledged + kill);
  }
  const records = await readChain(kind, place);
  expect(records.length).toBeGreaterThanOrEqual(acknowledged);
  expect(new Set(records.map(({ modelId }) => modelId)).size).toBe(kills);
}

describe("two processes that write one conversation", () => {
  test(
    "ST-03 to a JSONL file beside a third that adds lines of its own: every record is there, once",
    async () => {
      const place = await newPlace("jsonl");
      let isWriting = true;
      const foreign = (async () => {
        while (isWriting) await appendFile(place, '{"type":"note"}\n');
      })();
      await twoWriters("jsonl", place).finally(() => {
        isWriting = false;
      });
      await foreign;
    },
    timeoutMs,
  );

  test(
    "to a SQLite database: every record is there, once",
    async () => {
      await twoWriters("sqlite", await newPlace("sqlite"));
    },
    timeoutMs,
  );

  test(
    "to a PostgreSQL database: every record is there, once",
    async () => {
      await twoWriters("postgres", await newPlace("postgres"));
    },
    timeoutMs,
  );
});

describe("a process that is killed while it writes", () => {
  test(
    "to a JSONL file loses no record it was told is there, and the next one goes on",
    async () => {
      await killedWriters("jsonl", await newPlace("jsonl"));
    },
    timeoutMs,
  );

  test(
    "to a SQLite database loses no record it was told is there, and the next one goes on",
    async () => {
      await killedWriters("sqlite", await newPlace("sqlite"));
    },
    timeoutMs,
  );

  test(
    "to a PostgreSQL database loses no record it was told is there, and the next one goes on",
    async () => {
      await killedWriters("postgres", await newPlace("postgres"));
    },
    timeoutMs,
  );
});

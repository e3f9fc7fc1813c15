import { join } from "node:path";
import { type PostgresServer, startPostgresServer } from "@holdfast/test-kit/postgres";
import { bundleProcess, type ProcessBundle } from "@holdfast/test-kit/process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DurableKind, openDurableStore } from "./fixtures/open-store.ts";
import { runProcess } from "./fixtures/run-process.ts";

// HOLDFAST_RUNS=50 is the run of 500 compactions a process.
const factor = Number(process.env.HOLDFAST_RUNS ?? 1);
const compactionsEach = 10 * factor;
const timeoutMs = 60_000 + 20_000 * factor;

let bundle: ProcessBundle;
let server: PostgresServer;
beforeAll(async () => {
  bundle = await bundleProcess(new URL("./fixtures/compacting-process.ts", import.meta.url));
  server = await startPostgresServer();
}, 120_000);
afterAll(async () => {
  await bundle.remove();
  await server.stop();
});

async function compactingProcess(kind: DurableKind, place: string, label: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const { end, errors } = await runProcess({
    script: bundle.script,
    args: [kind, place, label, String(compactionsEach)],
    onLine: (line) => {
      lines.push(line);
      return undefined;
    },
  });
  expect([end, errors]).toEqual([0, ""]);
  return lines;
}

async function twoProcesses(kind: DurableKind, place: string): Promise<void> {
  const labels = ["a", "b"];
  const said = await Promise.all(labels.map((label) => compactingProcess(kind, place, label)));
  const store = await openDurableStore(kind, place);
  const chain = (await store.list("c")) as { modelId: string; details: { generation: number } }[];
  await store.close?.();

  const generations = Array.from({ length: 2 * compactionsEach }, (_, index) => index + 1);
  expect(chain.map(({ details }) => details.generation)).toEqual(generations);
  for (const [index, label] of labels.entries()) {
    const lines = said[index] ?? [];
    const own = chain
      .filter(({ modelId }) => modelId === label)
      .map(({ details }) => `installed ${details.generation}`);
    expect(own).toHaveLength(compactionsEach);
    expect(lines.filter((line) => line.startsWith("installed"))).toEqual(own);
    // After a conflict the chain is read before anything else is done; without one it never is.
    const before = lines.flatMap((line, place) => (line === "read" ? [lines[place - 1]] : []));
    const conflicts = lines.filter((line) => line === "conflict");
    expect(before).toEqual([undefined, ...conflicts]);
    if (factor > 1) console.info(kind, label, { installed: own.length, conflicts: conflicts.length });
  }
}

test(
  "two processes compact one conversation in a JSONL file: every generation once, each conflict read again",
  () => twoProcesses("jsonl", join(bundle.directory, "chain.jsonl")),
  timeoutMs,
);

test(
  "two processes compact one conversation in a PostgreSQL database: every generation once, each conflict read again",
  async () => twoProcesses("postgres", await server.createDatabase()),
  timeoutMs,
);

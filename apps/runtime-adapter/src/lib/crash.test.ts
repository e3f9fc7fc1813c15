import { join } from "node:path";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { type PostgresServer, startPostgresServer } from "@holdfast/test-kit/postgres";
import { bundleProcess, type ProcessBundle } from "@holdfast/test-kit/process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentStep, runAgent } from "./fixtures/agent-loop.ts";
import { type DurableKind, openDurableStore } from "./fixtures/open-store.ts";
import { runProcess } from "./fixtures/run-process.ts";

// HOLDFAST_RUNS=50 is the run of 200 kills a store.
const factor = Number(process.env.HOLDFAST_RUNS ?? 1);
const kills = 4 * factor;
const timeoutMs = 60_000 + 20_000 * factor;

let bundle: ProcessBundle;
let server: PostgresServer;
beforeAll(async () => {
  bundle = await bundleProcess(new URL("./fixtures/agent-process.ts", import.meta.url));
  server = await startPostgresServer();
}, 120_000);
afterAll(async () => {
  await bundle.remove();
  await server.stop();
});

/** What a run that nobody disturbs prepares and stores. */
async function unharmed(conversationId: string) {
  const store = createMemoryStore();
  const digests: string[] = [];
  const onStep = (step: AgentStep) => {
    if (step.does === "request") digests.push(step.digest);
  };
  await runAgent({ store, conversationId, from: 0, onStep });
  const records = await store.list(conversationId);
  expect(JSON.stringify(records)).toContain('"failureReason":"summary_provider"');
  expect(records.length).toBeGreaterThan(20);
  return { digests, records };
}

/** The chain as a process that was just started finds it. */
async function readChain(kind: DurableKind, place: string, conversationId: string): Promise<readonly unknown[]> {
  const store = await openDurableStore(kind, place);
  try {
    return await store.list(conversationId);
  } finally {
    await store.close?.();
  }
}

/** The same numbers in every run, from 0 up to 1. */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const moments: readonly AgentStep["does"][] = ["compacting", "asking", "appending", "stored", "request"];

async function killedAgents(kind: DurableKind, place: string): Promise<Record<string, number>> {
  const random = seededNumbers(7);
  const killedIn: Record<string, number> = {};
  let killed = 0;
  for (let round = 0; killed < kills; round += 1) {
    const conversationId = `conversation ${round}`;
    const expected = await unharmed(conversationId);
    let from = 0;
    let acknowledged = 0;
    for (let isOver = false; !isOver && killed < kills; ) {
      const moment = moments[Math.floor(random() * moments.length)];
      let left = 1 + Math.floor(random() * 3);
      const killAfterMs = Math.floor(random() * 4);
      const steps: AgentStep[] = [];
      const { end, errors } = await runProcess({
        script: bundle.script,
        args: [kind, place, conversationId, String(from)],
        onLine: (line) => {
          const step = JSON.parse(line) as AgentStep;
          steps.push(step);
          if (step.does === moment) left -= 1;
          return left === 0 ? killAfterMs : undefined;
        },
      });
      expect(errors).toBe("");
      const requests = steps.filter((step) => step.does === "request");
      expect(requests).toEqual(
        requests.map((_, place) => ({ does: "request", number: from + place, digest: expected.digests[from + place] })),
      );
      from += requests.length;
      acknowledged += steps.filter(({ does }) => does === "stored").length;
      isOver = end === 0;
      if (!isOver) {
        expect(end).toBe("SIGKILL");
        killed += 1;
        const lastStep = steps.at(-1)?.does ?? "starting";
        killedIn[lastStep] = (killedIn[lastStep] ?? 0) + 1;
      }
      const chain = await readChain(kind, place, conversationId);
      // At most the one record whose answer never arrived is there as well.
      expect(chain.length - acknowledged).toBeOneOf(isOver ? [0] : [0, 1]);
      expect(chain).toEqual(expected.records.slice(0, chain.length));
      acknowledged = chain.length;
      if (isOver) expect([from, chain.length]).toEqual([expected.digests.length, expected.records.length]);
    }
  }
  return killedIn;
}

async function survivesKills(kind: DurableKind, place: string): Promise<void> {
  const killedIn = await killedAgents(kind, place);
  const total = Object.values(killedIn).reduce((sum, count) => sum + count, 0);
  expect(total).toBe(kills);
  if (factor > 1) console.info(kind, killedIn);
}

test(
  "an agent that is killed at any moment goes on from a JSONL file as if nothing had happened",
  () => survivesKills("jsonl", join(bundle.directory, "chain.jsonl")),
  timeoutMs,
);

test(
  "an agent that is killed at any moment goes on from a SQLite database as if nothing had happened",
  () => survivesKills("sqlite", join(bundle.directory, "chain.sqlite")),
  timeoutMs,
);

test(
  "an agent that is killed at any moment goes on from a PostgreSQL database as if nothing had happened",
  async () => survivesKills("postgres", await server.createDatabase()),
  timeoutMs,
);

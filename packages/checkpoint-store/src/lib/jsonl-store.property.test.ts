import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Checkpoint, newestGeneration } from "@holdfast/checkpoint-normalizer";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CheckpointStore } from "./checkpoint-store.ts";
import { record } from "./fixtures/record.ts";
import { createJsonlStore } from "./jsonl-store.ts";

const runs = 60 * Number(process.env.HOLDFAST_RUNS ?? 1);
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "jsonl-property-"));
});
afterAll(() => rm(directory, { recursive: true }));

const conversations = fc.constantFrom("c", "d");
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ does: fc.constant("append" as const), by: fc.nat({ max: 2 }), to: conversations }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant("reread" as const), by: fc.nat({ max: 2 }), to: conversations }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constant("restart" as const), by: fc.nat({ max: 2 }), to: conversations }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constant("tear" as const), by: fc.nat({ max: 2 }), to: conversations }),
    },
  ),
  { maxLength: 40 },
);

/** One of three processes: its store and the newest generation it knows of each conversation. */
interface Host {
  store: CheckpointStore;
  known: Record<string, number>;
}

test("three stores on one file, restarts and torn lines in any order: the chain is what a list in memory would be", async () => {
  let files = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      files += 1;
      const path = join(directory, `${files}.jsonl`);
      const open = (): Host => ({ store: createJsonlStore(path), known: { c: 0, d: 0 } });
      const hosts = [open(), open(), open()];
      const model: Record<string, Checkpoint[]> = { c: [], d: [] };
      for (const [place, { does, by, to }] of sequence.entries()) {
        const host = hosts[by] ?? open();
        const chain = model[to] ?? [];
        if (does === "restart") hosts[by] = open();
        else if (does === "tear")
          await appendFile(path, `\n{"conversationId":"${to}","writeId":"torn","checkpoint":{"det`);
        else if (does === "reread") host.known[to] = newestGeneration(await host.store.list(to));
        else {
          const expectedGeneration = host.known[to] ?? 0;
          const next = record(expectedGeneration + 1, `-${place}`);
          const result = await host.store.append(to, next, { expectedGeneration });
          expect(result).toEqual(
            expectedGeneration === chain.length
              ? { ok: true, generation: chain.length + 1 }
              : { ok: false, reason: "conflict", newest: chain.at(-1) },
          );
          if (result.ok) {
            chain.push(next);
            host.known[to] = result.generation;
          }
        }
      }
      for (const { store } of [...hosts, open()]) {
        expect([await store.list("c"), await store.list("d")]).toEqual([model.c, model.d]);
      }
    }),
    { numRuns: runs },
  );
});

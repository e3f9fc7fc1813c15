import type { Message } from "@holdfast/message-schema";
import { checkRequest, transcriptArbitrary } from "@holdfast/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { carriedSummary } from "./carried-summary.ts";
import { describeCheckpoint } from "./describe-checkpoint.ts";
import { checkpoint } from "./fixtures/conversation.ts";
import { mutate, mutationArbitrary } from "./fixtures/mutation.ts";
import { normalizeCheckpoint } from "./normalize-checkpoint.ts";
import { parseCheckpoint } from "./parse-checkpoint.ts";
import { rebuildContext } from "./rebuild-context.ts";
import { remapCheckpoints } from "./remap-checkpoints.ts";
import { selectCheckpoint } from "./select-checkpoint.ts";
import { summaryRange } from "./summary-range.ts";
import { uncovered } from "./uncovered.ts";

// 500 records by default; HOLDFAST_RUNS=200 is the run of 100,000. fast-check prints the seed of a failure.
const runs = 500 * Number(process.env.HOLDFAST_RUNS ?? 1);
const seed = Number(process.env.HOLDFAST_SEED ?? 7);

const transcripts: fc.Arbitrary<readonly Message[]> = transcriptArbitrary(fc, {
  maxSteps: 12,
  hugeResultWords: 5,
}).filter((messages) => messages.length > 0);

const records = transcripts.chain((transcript) =>
  fc
    .record({
      boundary: fc.nat({ max: transcript.length - 1 }),
      tailLength: fc.nat({ max: 12 }),
      strategy: fc.constantFrom("summary", "summary", "summary", "fresh_window"),
      mode: fc.constantFrom("active_turn", "completed_turn", undefined),
      shape: fc.constantFrom("recent_window", "recent_window", undefined),
      fallback: fc.constantFrom("retained_tail", undefined),
      mutations: fc.array(mutationArbitrary(fc), { minLength: 1, maxLength: 3 }),
    })
    .map(({ boundary, tailLength, strategy, mode, shape, fallback, mutations }) => {
      const through = transcript[boundary]?.id ?? "none";
      const details = {
        strategy,
        retainedTailMode: mode,
        retainedTailShape: shape,
        fallback,
        readFiles: ["a.ts"],
        uncovered: [{ from: transcript[0]?.id ?? "none", through }],
      };
      const retainedTail = transcript.slice(Math.max(0, boundary + 1 - tailLength), boundary + 1);
      const record: unknown = JSON.parse(JSON.stringify(checkpoint(through, details, { retainedTail })));
      return { transcript, mutated: mutations.reduce<unknown>(mutate, record), original: record };
    }),
);

test(
  `${runs} damaged records: none crashes, none yields an invalid context, at least half can be read (seed ${seed})`,
  () => {
    let parsedCount = 0;
    let count = 0;
    fc.assert(
      fc.property(records, ({ transcript, mutated, original }) => {
        count += 1;
        const parsed = parseCheckpoint(mutated);
        const chain = [original, mutated];
        const selected = selectCheckpoint(chain, transcript);
        const context = rebuildContext({ transcript, checkpoint: selected.checkpoint });
        const isRebuilt = selected.checkpoint !== undefined;
        const isRequest = context.some(({ role }) => role !== "system");
        if (isRequest) expect(checkRequest(context, { startsWithUser: isRebuilt })).toEqual([]);

        const boundaryIndex = transcript.length - 1;
        const gaps = uncovered(chain, transcript);
        const range = summaryRange({ transcript, checkpoint: selected.checkpoint, boundaryIndex, uncovered: gaps });
        const places = range.messages.map((message) => transcript.indexOf(message));
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
        describeCheckpoint(mutated);
        remapCheckpoints(chain, { messages: new Map(transcript.map(({ id }) => [id, `fork-${id}`])) });
        carriedSummary(selected.checkpoint);

        if (!parsed.ok) return;
        parsedCount += 1;
        const again = parseCheckpoint(JSON.parse(JSON.stringify(parsed.checkpoint)));
        expect(again.ok && JSON.stringify(again.checkpoint)).toBe(JSON.stringify(parsed.checkpoint));
        const once = normalizeCheckpoint(parsed.checkpoint).checkpoint;
        expect(normalizeCheckpoint(once).checkpoint).toBe(once);
      }),
      { numRuns: runs, seed, endOnFailure: false },
    );
    expect(parsedCount / count).toBeGreaterThan(0.5);
    if (process.env.HOLDFAST_RUNS !== undefined) console.info(`seed ${seed}: ${parsedCount} of ${count} records read`);
  },
  60_000 + 50 * runs,
);

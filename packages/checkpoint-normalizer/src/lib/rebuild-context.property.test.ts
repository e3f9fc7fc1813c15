import { type Message, shape } from "@holdfast/message-schema";
import { findPairingProblems } from "@holdfast/tail-window";
import { checkRequest, transcriptArbitrary } from "@holdfast/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkpoint } from "./fixtures/conversation.ts";
import { rebuildContext } from "./rebuild-context.ts";

const runs = 300 * Number(process.env.HOLDFAST_RUNS ?? 1);
const transcripts: fc.Arbitrary<readonly Message[]> = transcriptArbitrary(fc, { hugeResultWords: 5 });
const cases = fc.record({ transcript: transcripts, at: fc.nat({ max: 60 }), tailLength: fc.nat({ max: 20 }) });

function recordAt(transcript: readonly Message[], at: number, tailLength: number) {
  const boundary = Math.min(at, transcript.length - 1);
  const retainedTail = transcript.slice(Math.max(0, boundary + 1 - tailLength), boundary + 1);
  return checkpoint(transcript[boundary]?.id ?? "none", { retainedTailShape: "recent_window" }, { retainedTail });
}

test("whatever the transcript holds, a strict provider takes what is rebuilt, and the transcript stays as it was", () => {
  fc.assert(
    fc.property(cases, ({ transcript, at, tailLength }) => {
      fc.pre(transcript.length > 0);
      const before = JSON.stringify(transcript);
      const context = rebuildContext({ transcript, checkpoint: recordAt(transcript, at, tailLength) });
      expect(checkRequest(context, { startsWithUser: true })).toEqual([]);
      expect(findPairingProblems(context, shape)).toEqual([]);
      expect(JSON.stringify(transcript)).toBe(before);
      const alone = rebuildContext({ transcript });
      // With no message but system messages there is nothing to ask, and nothing is made up.
      if (alone.some(({ role }) => role !== "system")) expect(checkRequest(alone)).toEqual([]);
    }),
    { numRuns: runs },
  );
});

test("a message is the transcript's own object unless something of it had to go", () => {
  fc.assert(
    fc.property(transcripts, (transcript) => {
      const own = new Map(transcript.map((message) => [message.id, message]));
      for (const message of rebuildContext({ transcript })) {
        const original = own.get(message.id);
        if (message !== original) expect(JSON.stringify(message)).not.toBe(JSON.stringify(original));
      }
    }),
    { numRuns: runs },
  );
});

test("RT-09 from turn to turn and across a restart the list only grows at its end", () => {
  // A result that arrives late answers an older call, which is the one exception: here each comes in its place.
  const lateResults = ["displacedResult", "userInBetween", "duplicateResult", "orphan"] as const;
  const orderly = transcriptArbitrary(fc, { hugeResultWords: 5, without: lateResults });
  fc.assert(
    fc.property(orderly, fc.nat({ max: 60 }), fc.nat({ max: 20 }), (transcript: readonly Message[], at, tailLength) => {
      fc.pre(transcript.length > 0);
      const record = recordAt(transcript, at, tailLength);
      const boundary = transcript.findIndex(({ id }) => id === record.throughMessageId);
      let previous: string[] = [];
      for (let length = boundary + 1; length <= transcript.length; length += 1) {
        if (transcript[length]?.role === "toolResult") continue;
        const restarted = JSON.parse(JSON.stringify({ transcript: transcript.slice(0, length), checkpoint: record }));
        const list = rebuildContext(restarted).map((message) => JSON.stringify(message));
        expect(list.slice(0, previous.length)).toEqual(previous);
        previous = list;
      }
    }),
    { numRuns: Math.ceil(runs / 3) },
  );
});

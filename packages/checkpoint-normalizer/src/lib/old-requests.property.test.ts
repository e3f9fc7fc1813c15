import { type Message, shape } from "@holdfast/message-schema";
import { selectTailWindow } from "@holdfast/tail-window";
import { describeWithSessions, transcriptArbitrary } from "@holdfast/test-kit";
import { readTranscript } from "@holdfast/transcripts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CheckpointDetails } from "./checkpoint.ts";
import { checkpoint } from "./fixtures/conversation.ts";
import { rebuildContext } from "./rebuild-context.ts";
import { selectCheckpoint } from "./select-checkpoint.ts";

const runs = 200 * Number(process.env.HOLDFAST_RUNS ?? 1);

interface Restart {
  readonly transcript: readonly Message[];
  readonly boundary: number;
  readonly budgetTokens: number;
  readonly details: Partial<CheckpointDetails>;
}

/** Whether a compaction puts a boundary there: never behind a call that waits, and a turn that is over ended in an answer. */
function isBoundary({ transcript, boundary, details }: Restart): boolean {
  const range = transcript.slice(0, boundary + 1);
  const newest = range.findLastIndex((message) => message.role === "assistant" && !shape.isDiscarded(message));
  const answered = range.slice(newest + 1).flatMap((message) => shape.toolResultIds(message));
  const calls = range.slice(newest, newest + 1).flatMap((message) => shape.toolCallIds(message));
  if (newest >= 0 && calls.some((id) => !answered.includes(id))) return false;
  const last = range.at(-1);
  const isOver = last?.role === "assistant" && (shape.isDiscarded(last) || shape.toolCallIds(last).length === 0);
  return isOver || details.retainedTailMode === "active_turn";
}

/** Requests up to the boundary that are sent again without any answer, though one of theirs could be sent. */
function revivedRequests({ transcript, boundary, budgetTokens, details }: Restart): string[] {
  const range = transcript.slice(0, boundary + 1);
  const isActive = details.retainedTailMode === "active_turn";
  const { messages: retainedTail } = selectTailWindow(range, {
    budgetTokens,
    countTokens: (message) => Math.ceil(JSON.stringify(message.content).length / 4),
    shape,
    ...(isActive ? { anchor: "latest-request" } : {}),
  });
  const stored: unknown = JSON.parse(JSON.stringify(checkpoint(range.at(-1)?.id ?? "none", details, { retainedTail })));
  const context = rebuildContext({ transcript, checkpoint: selectCheckpoint([stored], transcript).checkpoint });

  const sent = new Set(context.map(({ id }) => id));
  const sendable = new Set(rebuildContext({ transcript }).map(({ id }) => id));
  // A blank request asks nothing and is never sent: the one before it is the one that runs.
  const running = range.findLast((message) => shape.isRequest(message) && !shape.isEmpty(message));
  return range.flatMap((request, place) => {
    if (!shape.isRequest(request) || !sent.has(request.id) || (isActive && request === running)) return [];
    const next = range.findIndex((message, later) => later > place && shape.isRequest(message));
    const answers = range
      .slice(place + 1, next < 0 ? undefined : next)
      .filter((message) => message.role === "assistant" && sendable.has(message.id));
    return answers.length > 0 && !answers.some(({ id }) => sent.has(id)) ? [request.id] : [];
  });
}

const window = { retainedTailShape: "recent_window", fallback: "retained_tail" };
const everyDetails: readonly Partial<CheckpointDetails>[] = [
  { ...window, retainedTailMode: "active_turn" },
  { ...window, retainedTailMode: "completed_turn" },
  { strategy: "summary", retainedTailMode: "active_turn" },
  { strategy: "summary", retainedTailMode: "completed_turn" },
  { strategy: "fresh_window", retainedTailMode: "active_turn" },
];

test("after a compaction at any point and a restart no answered request stands there without its answer", () => {
  // Which result answers which call is another property's business: here each stands where it belongs.
  const without = ["displacedResult", "reusedCallId", "userInBetween", "orphan"] as const;
  const transcripts: fc.Arbitrary<readonly Message[]> = transcriptArbitrary(fc, { hugeResultWords: 60, without });
  const restarts = fc.record({
    transcript: transcripts.filter(({ length }) => length > 0),
    place: fc.nat({ max: 60 }),
    budgetTokens: fc.integer({ min: 64, max: 600 }),
    details: fc.constantFrom(...everyDetails),
  });
  fc.assert(
    fc.property(restarts, ({ transcript, place, budgetTokens, details }) => {
      const restart = { transcript, boundary: Math.min(place, transcript.length - 1), budgetTokens, details };
      fc.pre(isBoundary(restart));
      expect(revivedRequests(restart)).toEqual([]);
    }),
    { numRuns: runs },
  );
});

describeWithSessions("at every message of a recorded session", (sessionFile) => {
  test("no answered request comes back without its answer, in any mode", async () => {
    const [conversation] = (await readTranscript(sessionFile("pi-v3__gajae__04-awesome-agent-ide.jsonl")))
      .conversations;
    const transcript = conversation?.messages ?? [];
    expect(transcript.length).toBeGreaterThan(100);
    const restarts = [...transcript.keys()].flatMap((boundary) =>
      everyDetails.map((details) => ({ transcript, boundary, budgetTokens: 4000, details })),
    );
    const possible = restarts.filter(isBoundary);
    expect(possible.length).toBeGreaterThan(100);
    expect(possible.flatMap(revivedRequests)).toEqual([]);
  });
});

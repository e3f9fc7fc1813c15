import fc from "fast-check";
import { expect, test } from "vitest";
import { checkRequest } from "./check-request.ts";
import type { GeneratedMessage } from "./generated-message.ts";
import { transcriptArbitrary } from "./transcript-arbitrary.ts";

const everyOddity = fc.sample(transcriptArbitrary(fc), { seed: 1, numRuns: 300 });

function countTranscripts(holds: (messages: readonly GeneratedMessage[]) => boolean): number {
  return everyOddity.filter(holds).length;
}

test("message ids are unique whatever else is odd", () => {
  fc.assert(
    fc.property(transcriptArbitrary(fc), (messages) => {
      expect(new Set(messages.map((message) => message.id)).size).toBe(messages.length);
    }),
    { seed: 2 },
  );
});

test("without oddities a transcript is what a provider takes", () => {
  const sound = transcriptArbitrary(fc, {
    without: ["blank", "discarded", "displacedResult", "duplicateResult", "orphan", "unansweredCall", "userInBetween"],
  });
  fc.assert(
    fc.property(
      sound.filter((messages) => messages.some((message) => message.role !== "system")),
      (messages) => {
        expect(checkRequest(messages).filter((problem) => !problem.endsWith("holds only reasoning"))).toEqual([]);
      },
    ),
    { seed: 3 },
  );
});

test.each([
  "answers the call",
  "that nothing answers",
  "once more",
  'ended in "aborted"',
  'ended in "deferred"',
  'ended in "error"',
  "holds only reasoning",
  "has empty content",
  "has blank content",
  "is a blank text",
])("a sample holds what a provider refuses: %s", (problem) => {
  expect(
    countTranscripts((messages) => checkRequest(messages).some((found) => found.includes(problem))),
  ).toBeGreaterThan(5);
});

test("a sample holds call ids that come back, also inside one message", () => {
  const callIds = (message: GeneratedMessage) =>
    message.role === "assistant" ? message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])) : [];
  const repeats = (ids: readonly string[]) => new Set(ids).size < ids.length;
  expect(countTranscripts((messages) => messages.some((message) => repeats(callIds(message))))).toBeGreaterThan(5);
  expect(countTranscripts((messages) => repeats(messages.flatMap(callIds)))).toBeGreaterThan(5);
});

test("a sample holds pictures, injected messages, system messages in the middle and huge results", () => {
  const json = (messages: readonly GeneratedMessage[]) => JSON.stringify(messages);
  expect(countTranscripts((messages) => json(messages).includes('"type":"image"'))).toBeGreaterThan(5);
  expect(countTranscripts((messages) => json(messages).includes('"origin":"injected"'))).toBeGreaterThan(5);
  expect(countTranscripts((messages) => json(messages).length > 8000)).toBeGreaterThan(5);
  expect(
    countTranscripts((messages) => messages.slice(1).some((message) => message.role === "system")),
  ).toBeGreaterThan(5);
});

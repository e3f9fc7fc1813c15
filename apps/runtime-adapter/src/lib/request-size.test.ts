import type { Checkpoint } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { transcriptOf } from "./message-notation.ts";
import { type MeasureInput, measureRequest } from "./request-size.ts";

const usage = (totalTokens: number) => ({ input: totalTokens, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens });

function withUsage(messages: readonly Message[], id: string, totalTokens: number, more = {}): Message[] {
  return messages.map((message) =>
    message.id === id && message.role === "assistant" ? { ...message, usage: usage(totalTokens), ...more } : message,
  );
}

function size(transcript: readonly Message[], options: Partial<MeasureInput> = {}): number {
  return measureRequest({
    transcript,
    context: transcript,
    overheadTokens: 100,
    countMessage: () => 10,
    model: { providerId: "acme", modelId: "one" },
    ...options,
  }).tokens;
}

const checkpoint: Checkpoint = {
  id: "c1",
  summary: "s",
  throughMessageId: "a1",
  tokensBefore: 0,
  retainedTail: [],
  details: { generation: 1, atMessageId: "u2" },
  createdAt: "2026-01-01T00:00:00.000Z",
};

test("without usage everything is counted, the overhead included", () => {
  expect(size(transcriptOf("u1 a1 u2"))).toBe(130);
});

test("the newest usage stands for what it measured, and what follows is counted", () => {
  expect(size(withUsage(transcriptOf("u1 a1 u2"), "a1", 200))).toBe(210);
});

test("RT-01 usage from before the newest checkpoint is ignored, also on a message behind its boundary", () => {
  const transcript = withUsage(transcriptOf("u1 a1 u2 u3"), "a1", 200);
  expect(size(transcript, { checkpoint })).toBe(140);
  const late = withUsage(transcriptOf("u1 a1 a9 u2 u3"), "a9", 200);
  expect(size(late, { checkpoint })).toBe(150);
});

test("usage of another model, of a discarded answer, or that cannot be true is ignored", () => {
  const transcript = transcriptOf("u1 a1 u2");
  expect(size(withUsage(transcript, "a1", 200, { model: "two" }))).toBe(130);
  expect(size(withUsage(transcript, "a1", 200, { stopReason: "error" }))).toBe(130);
  expect(size(withUsage(transcript, "a1", 59))).toBe(130);
  expect(size(withUsage(transcript, "a1", 361))).toBe(130);
  expect(size(withUsage(transcript, "a1", 360))).toBe(370);
});

test("reports above the count raise what the trigger sees of the counted part, after three of them", () => {
  const answers = ["a1", "a2", "a3"].reduce<Message[]>(
    (messages, id, index) => withUsage(messages, id, (100 + 20 * (index + 1)) * 1.5),
    transcriptOf("u1 a1 u2 a2 u3 a3 u4 u5"),
  );
  const measured = measureRequest({
    transcript: answers,
    context: answers,
    overheadTokens: 100,
    countMessage: () => 10,
    model: {},
  });
  expect(measured).toMatchObject({ tokens: 240 + 20, triggerTokens: 240 + 30, calibration: 1.5 });
});

test("what was learned before a checkpoint is read back from it", () => {
  const learned = { ...checkpoint, details: { ...checkpoint.details, calibration: 2 } };
  const transcript = transcriptOf("u1 a1 u2 u3");
  const measured = measureRequest({
    transcript,
    context: transcript,
    checkpoint: learned,
    overheadTokens: 0,
    countMessage: () => 10,
    model: {},
  });
  expect(measured).toMatchObject({ tokens: 40, triggerTokens: 80, calibration: 2 });
});

test("the largest request that was answered before is known, also when the answer failed", () => {
  const largest = (notation: string) => {
    const transcript = transcriptOf(notation);
    const context = transcript.filter(({ id }) => !id.startsWith("a9"));
    return measureRequest({ transcript, context, overheadTokens: 100, countMessage: () => 10, model: {} })
      .largestAnswered;
  };
  expect(largest("u1")).toBe(Number.NEGATIVE_INFINITY);
  expect(largest("u1 a1 u2")).toBe(110);
  expect(largest("u1 a1 u2 a2 u3 n1")).toBe(130);
  expect(largest("u1 a1 u2 a90:error")).toBe(130);
  expect(largest("u1 a1 u2 a90:error u3")).toBe(130);
});

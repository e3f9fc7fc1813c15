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

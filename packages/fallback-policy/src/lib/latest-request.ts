import type { Message } from "@holdfast/message-schema";
import { isRequest } from "./is-request.ts";
import type { FallbackInput } from "./policy.ts";

/**
 * The newest request message up to the new boundary, whole as the transcript has it (blank parts aside, which are never
 * sent): a copy that an earlier compaction shortened is never shortened again. It may lie before the window range.
 */
export function latestRequest(
  input: Pick<FallbackInput, "transcript" | "windowRange" | "summaryRange" | "shape">,
): Message | undefined {
  const { transcript, windowRange, summaryRange, shape } = input;
  // Messages behind the boundary are in the transcript too; both ranges end at the boundary.
  const ends = new Set([windowRange.at(-1)?.id, summaryRange.at(-1)?.id]);
  const boundary = transcript.findLastIndex((message) => ends.has(message.id));
  const upToBoundary = boundary < 0 ? windowRange : transcript.slice(0, boundary + 1);
  const request = upToBoundary.findLast((message) => isRequest(message, shape) && shape.isEmpty?.(message) !== true);
  return request === undefined ? undefined : (shape.withoutBlankText?.(request) ?? request);
}

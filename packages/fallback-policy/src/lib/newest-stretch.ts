import type { Message } from "@holdfast/message-schema";
import { selectTailWindow } from "@holdfast/tail-window";
import type { FallbackInput } from "./policy.ts";
import { windowShape } from "./window-shape.ts";

/**
 * The newest messages of the window range without a hole among them. The range begins with the tail of the checkpoint
 * before, where the request that was kept ahead of a window, or beside a summary, stands next to messages that came much
 * later: a window that reached back over such a place would deny what is missing there. Messages that no request can
 * carry leave no hole.
 */
export function newestStretch(input: Pick<FallbackInput, "transcript" | "windowRange" | "shape">): readonly Message[] {
  const { transcript, windowRange, shape } = input;
  const positions = new Map(transcript.map(({ id }, position) => [id, position]));
  const ids = new Set(windowRange.map(({ id }) => id));
  const isHole = (between: readonly Message[]) => {
    const missing = between.filter(({ id }) => !ids.has(id));
    const sendable = { budgetTokens: Infinity, countTokens: () => 0, shape: windowShape(shape) };
    return missing.length > 0 && selectTailWindow(missing, sendable).messages.length > 0;
  };
  // A message that the transcript does not have, or has in another order, tells of no hole.
  const start = windowRange.findLastIndex((message, index) => {
    const before = windowRange[index - 1];
    const [from, to] = [positions.get(before?.id ?? ""), positions.get(message.id)];
    return from !== undefined && to !== undefined && isHole(transcript.slice(from + 1, to));
  });
  return windowRange.slice(Math.max(0, start));
}

import type { MessageShape } from "./message-shape.ts";
import type { Kept, Source } from "./walk.ts";

/** The message can stand by itself: it is sent, says something, and neither calls a tool nor answers a call. */
export function isPlain<M>(message: M, shape: MessageShape<M>): boolean {
  return (
    !shape.isDiscarded?.(message) &&
    !shape.isEmpty?.(message) &&
    shape.toolCallIds(message).length === 0 &&
    shape.toolResultIds(message).length === 0
  );
}

/** The message in at most `maxTokens`, or nothing when it cannot be made that short. */
export function shortenedTo<M>(
  original: M,
  index: number,
  maxTokens: number,
  { shape, count, mayShorten }: Source<M>,
): Kept<M> | undefined {
  const message = shape.withoutBlankText?.(original) ?? original;
  const tokens = count(message, index);
  if (tokens <= maxTokens) return { message, tokens, isShortened: false };
  if (!mayShorten) return undefined;
  const short = shape.shorten?.(message, maxTokens, (draft) => count(draft, index)) ?? message;
  const shortTokens = count(short, index);
  return shortTokens <= maxTokens ? { message: short, tokens: shortTokens, isShortened: true } : undefined;
}

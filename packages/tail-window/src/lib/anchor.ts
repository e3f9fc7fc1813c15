import { checkedRole } from "./checked-input.ts";
import type { MessageShape } from "./message-shape.ts";
import type { Source } from "./source.ts";
import type { SelectOptions } from "./tail-window.ts";

/** The message can be kept by itself: it is sent, says something, calls no tool and answers no call. */
export function standsAlone<M>(message: M, shape: MessageShape<M>): boolean {
  return (
    shape.toolCallIds(message).length + shape.toolResultIds(message).length === 0 &&
    !shape.isDiscarded?.(message) &&
    !shape.isEmpty?.(message)
  );
}

/** The message to keep if the window does not hold it, with its index: -1 when it is not of the list. */
export function findAnchor<M>(
  { messages, firstIndex, shape }: Source<M>,
  wanted: SelectOptions<M>["anchor"],
): { readonly index: number; readonly message: M } | undefined {
  if (!wanted) return undefined;
  if (wanted === "latest-request") {
    for (let index = messages.length - 1; index >= firstIndex; index--) {
      const message = messages[index] as M;
      const isUser = checkedRole(message, index, shape) === "user";
      if (isUser && (shape.isRequest?.(message) ?? true) && standsAlone(message, shape)) return { index, message };
    }
    return undefined;
  }
  const index = "index" in wanted ? wanted.index : messages.lastIndexOf(wanted.message);
  if ("index" in wanted && !(index in messages)) throw new RangeError(`anchor.index names no message: ${index}`);
  const message = "index" in wanted ? (messages[index] as M) : wanted.message;
  const isLeading = index >= 0 && index < firstIndex;
  return !isLeading && standsAlone(message, shape) ? { index, message } : undefined;
}

import { checkedRole } from "./checked-input.ts";
import type { MessageShape } from "./message-shape.ts";
import type { SelectOptions } from "./tail-window.ts";

/** The message can be kept by itself: it is sent, says something, calls no tool and answers no call. */
export function standsAlone<M>(message: M, shape: MessageShape<M>): boolean {
  const pairs = shape.toolCallIds(message).length + shape.toolResultIds(message).length;
  return pairs === 0 && !shape.isDiscarded?.(message) && !shape.isEmpty?.(message);
}

/** The message to keep if the window does not hold it; its index is -1 where it is not of the list. */
export function findAnchor<M>(
  messages: readonly M[],
  { anchor, shape }: SelectOptions<M>,
): { readonly index: number; readonly message: M | undefined } {
  if (anchor instanceof Object && "message" in anchor) {
    return { index: messages.lastIndexOf(anchor.message), message: anchor.message };
  }
  const isRequest = (message: M, index: number) =>
    checkedRole(message, index, shape) === "user" &&
    (shape.isRequest?.(message) ?? true) &&
    standsAlone(message, shape);
  const index = anchor instanceof Object ? anchor.index : anchor ? messages.findLastIndex(isRequest) : -1;
  if (anchor instanceof Object && !(index in messages)) {
    throw new RangeError(`anchor.index must be the index of a message, got ${index}`);
  }
  return { index, message: messages[index] };
}

import { checkedRole } from "./checked-input.ts";
import type { MessageShape } from "./message-shape.ts";
import { isPlain } from "./plain-message.ts";
import type { SelectOptions } from "./tail-window.ts";
import type { Source } from "./walk.ts";

/** The message to keep ahead of the window, and where it stands in the input. */
export interface Anchor<M> {
  readonly message: M;
  /** -1 for a message from outside the list. */
  readonly index: number;
}

/**
 * The anchor the options ask for; none when there is no request, or when it says nothing. Reads back to the newest request, or for a message
 * that was handed in, to `oldestRead`: further back it counts as one from outside the list.
 */
export function findAnchor<M>(
  { messages, firstIndex, shape }: Source<M>,
  wanted: SelectOptions<M>["anchor"],
  oldestRead: number,
): Anchor<M> | undefined {
  if (wanted === undefined) return undefined;
  if (wanted === "latest-request") {
    const isRequest = shape.isRequest ?? ((message: M) => shape.role(message) === "user");
    for (let index = messages.length - 1; index >= firstIndex; index--) {
      const message = messages[index] as M;
      const role = checkedRole(message, index, shape);
      if (role === "user" && isRequest.call(shape, message) && isPlain(message, shape)) return { index, message };
    }
    return undefined;
  }
  if ("index" in wanted) {
    const { index } = wanted;
    if (!(Number.isInteger(index) && index >= 0 && index < messages.length)) {
      throw new RangeError(`anchor.index must be an index of the ${messages.length} messages, got ${index}`);
    }
    const message = messages[index] as M;
    checkStandsAlone(message, shape);
    return index >= firstIndex && isPlain(message, shape) ? { index, message } : undefined;
  }
  const { message } = wanted;
  checkedRole(message, -1, shape);
  checkStandsAlone(message, shape);
  if (!isPlain(message, shape)) return undefined;
  for (let index = messages.length - 1; index >= oldestRead; index--) {
    if (messages[index] === message) return { index, message };
  }
  return { index: -1, message };
}

function checkStandsAlone<M>(message: M, shape: MessageShape<M>): void {
  if (shape.toolCallIds(message).length + shape.toolResultIds(message).length > 0) {
    throw new TypeError("the anchor must be a message that calls no tool and answers no call");
  }
}

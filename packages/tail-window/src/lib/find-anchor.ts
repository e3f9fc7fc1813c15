import { checkedRole } from "./checked-input.ts";
import type { Source } from "./entry.ts";
import type { SelectOptions } from "./tail-window.ts";

/** The message to keep if the window does not hold it; its index is -1 when it is not of the list. */
export function findAnchor<M>(
  { messages, shape }: Source<M>,
  anchor: SelectOptions<M>["anchor"],
): { readonly index: number; readonly message: M } | undefined {
  if (!anchor) return undefined;
  if (anchor === "latest-request") {
    const isRequest = (message: M, index: number) =>
      checkedRole(message, index, shape) === "user" &&
      (shape.isRequest?.(message) ?? shape.toolResultIds(message).length === 0) &&
      !shape.isEmpty?.(message);
    const index = messages.findLastIndex(isRequest);
    return index < 0 ? undefined : { index, message: messages[index] as M };
  }
  if ("message" in anchor) return { index: messages.lastIndexOf(anchor.message), message: anchor.message };
  const { index } = anchor;
  if (index in messages) return { index, message: messages[index] as M };
  throw new RangeError(`anchor.index must be the index of a message, got ${index}`);
}

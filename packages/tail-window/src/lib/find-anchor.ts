import { checkedRole, refuse } from "./checked-input.ts";
import type { MessageShape } from "./message-shape.ts";
import type { SelectOptions } from "./tail-window.ts";

/** The message to keep if the window does not hold it; its index is -1 when it is not of the list. */
export function findAnchor<M>(
  messages: readonly M[],
  anchor: SelectOptions<M>["anchor"],
  shape: MessageShape<M>,
): { readonly index: number; readonly message: M } | undefined {
  const isRequest = (message: M, index: number): boolean =>
    checkedRole(message, index, shape) === "user" &&
    (shape.isRequest?.(message) ?? !shape.toolResultIds(message)[0]) &&
    !shape.isDiscarded?.(message) &&
    !shape.isEmpty?.(message);
  if (!anchor) return undefined;
  const named = Object(anchor) as { readonly message?: M; readonly index?: number };
  if ("message" in named) {
    const message = named.message as M;
    return { index: messages.lastIndexOf(message), message };
  }
  const index = anchor === "latest-request" ? messages.findLastIndex(isRequest) : named.index;
  if (index !== undefined && index in messages) return { index, message: messages[index] as M };
  return index === -1 ? undefined : refuse("anchor", index ?? anchor);
}

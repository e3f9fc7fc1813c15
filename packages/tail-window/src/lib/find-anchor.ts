import { checkedRole, refuse } from "./checked-input.ts";
import { type Entry, readEntry, type Selection } from "./entry.ts";
import type { SelectOptions } from "./tail-window.ts";

/** The message to keep if the window does not hold it; its index is -1 when it is not of the list. */
export function findAnchor<M>(selection: Selection<M>, anchor: SelectOptions<M>["anchor"]): Entry<M> | undefined {
  const { messages, shape } = selection;
  const isRequest = (message: M, index: number): boolean =>
    checkedRole(message, index, shape) === "user" &&
    (shape.isRequest?.(message) ?? !shape.toolResultIds(message)[0]) &&
    !shape.isDiscarded?.(message) &&
    !shape.isEmpty?.(message);
  const named = Object(anchor) as { readonly message?: M; readonly index?: number };
  if ("message" in named) return readEntry(named.message as M, messages.lastIndexOf(named.message as M), selection);
  const index = anchor === "latest-request" ? messages.findLastIndex(isRequest) : named.index;
  if (index !== undefined && index in messages) return readEntry(messages[index] as M, index, selection);
  return index === -1 || !anchor ? undefined : refuse("anchor", "the index of a message", index ?? anchor);
}

import { checkedRole, refuse } from "./checked-input.ts";
import { type Entry, readEntry, type Selection } from "./entry.ts";
import type { SelectOptions } from "./tail-window.ts";

/** The message to keep if the window does not hold it; its index is -1 when it is not of the list. */
export function findAnchor<M>(selection: Selection<M>, anchor: SelectOptions<M>["anchor"]): Entry<M> | undefined {
  const { messages, shape } = selection;
  if (!anchor) return undefined;
  if (anchor === "latest-request") {
    const index = messages.findLastIndex(
      (message, at) =>
        checkedRole(message, at, shape) === "user" &&
        (shape.isRequest?.(message) ?? shape.toolResultIds(message).length === 0) &&
        !shape.isEmpty?.(message),
    );
    return index < 0 ? undefined : readEntry(messages[index] as M, index, selection);
  }
  if (typeof anchor !== "object") refuse("anchor", '"latest-request", an index or a message', anchor);
  if ("message" in anchor) return readEntry(anchor.message, messages.lastIndexOf(anchor.message), selection);
  const { index } = anchor;
  if (!(index in messages)) refuse("anchor.index", "the index of a message", index);
  return readEntry(messages[index] as M, index, selection);
}

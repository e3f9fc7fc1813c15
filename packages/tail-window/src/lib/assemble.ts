import type { Entry, Selection } from "./entry.ts";
import type { TailWindow } from "./tail-window.ts";

const isKept = <M>(entry: Entry<M>): entry is Entry<M> & { readonly kept: M } => entry.kept !== undefined;

/** Puts together what is returned: the leading system messages, what is kept ahead of the window, the window. */
export function assemble<M>(
  { messages, firstIndex }: Selection<M>,
  paid: ReadonlyMap<number, Entry<M>>,
  window: readonly Entry<M>[],
  anchorIndex = -1,
): TailWindow<M> {
  const startIndex = window.findLast(isKept)?.index ?? messages.length;
  const entries = [...new Set([...paid.values(), ...window])].sort((a, b) => a.index - b.index);
  const kept = entries.filter(isKept);
  const indexes = (some: readonly Entry<M>[]) => some.map(({ index }) => index);
  const isAhead = anchorIndex < startIndex && (anchorIndex < firstIndex || paid.get(anchorIndex)?.kept);
  return {
    messages: [...messages.slice(0, firstIndex), ...kept.map((entry) => entry.kept)],
    tokens: kept.reduce((sum, { tokens }) => sum + tokens, 0),
    startIndex,
    ...(anchorIndex >= 0 && isAhead && { anchorIndex }),
    omitted: entries.flatMap(({ index, reason, kept }) => (index > startIndex && !kept ? { index, reason } : [])),
    shortened: indexes(kept.filter(({ isShortened }) => isShortened)),
    repaired: indexes(kept.filter((entry) => !entry.isShortened && entry.kept !== entry.original)),
  };
}

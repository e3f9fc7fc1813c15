import { type Entry, isKept, type Selection } from "./entry.ts";
import type { OmissionReason, TailWindow } from "./tail-window.ts";

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
  const indexesOf = (wanted: string) => kept.filter(({ state }) => state === wanted).map(({ index }) => index);
  const isAhead = anchorIndex >= 0 && anchorIndex < startIndex && (anchorIndex < firstIndex || paid.has(anchorIndex));
  return {
    messages: [...messages.slice(0, firstIndex), ...kept.map((entry) => entry.kept)],
    tokens: kept.reduce((sum, { tokens }) => sum + tokens, 0),
    startIndex,
    ...(isAhead && { anchorIndex }),
    omitted: entries
      .filter((entry) => entry.index > startIndex && !isKept(entry))
      .map(({ index, state }) => ({ index, reason: state as OmissionReason })),
    shortened: indexesOf("shortened"),
    repaired: indexesOf("repaired"),
  };
}

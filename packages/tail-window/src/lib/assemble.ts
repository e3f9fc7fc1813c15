import type { Alone, Entry, Source } from "./entry.ts";
import type { TailWindow } from "./tail-window.ts";

/** Puts together what is returned: the leading system messages, what is kept ahead of the window, the window. */
export function assemble<M>(
  { messages, firstIndex }: Source<M>,
  ahead: ReadonlyMap<number, Alone<M>>,
  window: readonly Entry<M>[],
  anchorIndex = -1,
): TailWindow<M> {
  const kept = new Map(ahead);
  let startIndex = messages.length;
  for (const { index, kept: message, tokens, isShortened } of window) {
    if (message === undefined) continue;
    startIndex = index;
    kept.set(index, { message, tokens, isShortened });
  }
  const inOrder = [...kept].sort(([a], [b]) => a - b);
  const changed = inOrder.filter(([index, { message }]) => index >= 0 && message !== messages[index]);
  return {
    messages: [...messages.slice(0, firstIndex), ...inOrder.map(([, { message }]) => message)],
    tokens: inOrder.reduce((sum, [, { tokens }]) => sum + tokens, 0),
    startIndex,
    ...(anchorIndex >= 0 && anchorIndex < startIndex ? { anchorIndex } : {}),
    omitted: window
      .filter(({ index }) => index > startIndex && !kept.has(index))
      .map(({ index, reason }) => ({ index, reason }))
      .reverse(),
    shortened: changed.filter(([, { isShortened }]) => isShortened).map(([index]) => index),
    repaired: changed.filter(([, { isShortened }]) => !isShortened).map(([index]) => index),
  };
}

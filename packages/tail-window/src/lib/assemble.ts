import type { TailWindow } from "./tail-window.ts";
import { omissionReason } from "./units.ts";
import type { KeptMessages, Source, Walk } from "./walk.ts";

/** Puts together what is returned: leading system messages, what is kept ahead of the window, the window. */
export function assemble<M>(
  { messages, firstIndex, shape }: Source<M>,
  { entries }: Pick<Walk<M>, "entries">,
  ahead: KeptMessages<M>,
  window: KeptMessages<M>,
  anchorIndex = -1,
): TailWindow<M> {
  let startIndex = messages.length;
  for (const index of window.keys()) startIndex = Math.min(startIndex, index);
  const kept = [...new Map([...ahead, ...window])].sort(([a], [b]) => a - b);
  const changed = kept.filter(([index, { message }]) => index >= 0 && message !== messages[index]);
  return {
    messages: [...messages.slice(0, firstIndex), ...kept.map(([, { message }]) => message)],
    tokens: kept.reduce((sum, [, { tokens }]) => sum + tokens, 0),
    startIndex,
    ...(anchorIndex >= 0 ? { anchorIndex } : {}),
    omitted: entries
      .filter(({ index }) => index >= startIndex && !window.has(index))
      .map((entry) => ({ index: entry.index, reason: omissionReason(entry, shape) }))
      .reverse(),
    shortened: changed.filter(([, { isShortened }]) => isShortened).map(([index]) => index),
    repaired: changed.filter(([, { isShortened }]) => !isShortened).map(([index]) => index),
  };
}

import type { Entry, Link } from "./entry.ts";

/**
 * Pairs calls and results while a list is read from its end: a call takes the nearest result behind it with its id that
 * no nearer call took, which is the same as every result taking its nearest unanswered call.
 */
export function createPairing<M>(): (entry: Entry<M>) => void {
  const waiting = new Map<string, Link<M>[]>();
  return (entry) => {
    entry.calls = entry.calls.map((call) => {
      const link = waiting.get(call.id)?.pop() ?? call;
      link.caller = entry;
      // What is discarded takes its results with it.
      if (!entry.message && link.answerer) link.answerer.reason = "discarded";
      return link;
    });
    for (const link of entry.results) {
      link.answerer = entry;
      const queue = waiting.get(link.id);
      if (queue) queue.push(link);
      else waiting.set(link.id, [link]);
    }
  };
}

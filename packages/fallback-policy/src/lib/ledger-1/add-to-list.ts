import type { Listed } from "./ledger.ts";

/** Keeps a record small in a conversation that touches thousands of things. */
const MAX_ENTRIES = 200;

export interface AddToListOptions<Entry, Seen> {
  readonly keyOf: (entry: Entry) => string;
  readonly keyOfSeen: (seen: Seen) => string;
  /** The entry after it was seen once more, or for the first time. */
  readonly add: (entry: Entry | undefined, seen: Seen) => Entry;
}

/** The list with everything seen since added, oldest first; what is seen again moves to the newest end. */
export function addToList<Entry, Seen>(
  list: Listed<Entry>,
  seen: readonly Seen[],
  { keyOf, keyOfSeen, add }: AddToListOptions<Entry, Seen>,
): Listed<Entry> {
  const byKey = new Map(list.entries.map((entry) => [keyOf(entry), entry]));
  for (const item of seen) {
    const key = keyOfSeen(item);
    const entry = add(byKey.get(key), item);
    byKey.delete(key);
    byKey.set(key, entry);
  }
  return newest([...byKey.values()], list.dropped);
}

/** The newest entries, as many as a record keeps. */
export function newest<Entry>(entries: readonly Entry[], alreadyDropped: number): Listed<Entry> {
  const kept = entries.slice(-MAX_ENTRIES);
  return { entries: kept, dropped: alreadyDropped + entries.length - kept.length };
}

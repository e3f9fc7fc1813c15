import type { Listed } from "./ledger.ts";
import { MAX_ENTRIES } from "./ledger-bounds.ts";

export interface AddToListOptions<Entry, Seen> {
  readonly keyOf: (entry: Entry) => string;
  readonly keyOfSeen: (seen: Seen) => string;
  /** The entry after it was seen once more, or for the first time. */
  readonly add: (entry: Entry | undefined, seen: Seen) => Entry;
}

/**
 * The list with everything seen since added, oldest first; what is seen again moves to the newest end. The oldest entry
 * goes as soon as there are too many, so that it makes no difference in how many parts a conversation was read.
 */
export function addToList<Entry, Seen>(
  list: Listed<Entry>,
  seen: readonly Seen[],
  { keyOf, keyOfSeen, add }: AddToListOptions<Entry, Seen>,
): Listed<Entry> {
  const byKey = new Map(list.entries.map((entry) => [keyOf(entry), entry]));
  let dropped = list.dropped;
  for (const item of seen) {
    const key = keyOfSeen(item);
    const entry = add(byKey.get(key), item);
    byKey.delete(key);
    byKey.set(key, entry);
    if (byKey.size <= MAX_ENTRIES) continue;
    const [oldest] = byKey.keys();
    if (oldest !== undefined) byKey.delete(oldest);
    dropped += 1;
  }
  return { entries: [...byKey.values()], dropped };
}

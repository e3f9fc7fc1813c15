/**
 * Newest and most repeated first: an entry's place is the better of its places by newness and by repetition, and of
 * two with the same the newer one comes first.
 *
 * @param entries newest last
 */
export function rankEntries<Entry>(entries: readonly Entry[], times: (entry: Entry) => number): Entry[] {
  const byNewness = entries.toReversed();
  const byRepetition = byNewness.toSorted((a, b) => times(b) - times(a));
  const places = new Map(byNewness.map((entry, place) => [entry, place]));
  byRepetition.forEach((entry, place) => {
    // Something seen once is not repeated.
    if (times(entry) > 1) places.set(entry, Math.min(place, places.get(entry) ?? place));
  });
  return byNewness.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

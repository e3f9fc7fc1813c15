/** `map` that gives the array itself back when no element changed, so that untouched messages stay the same objects. */
export function mapSame<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

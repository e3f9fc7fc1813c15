// Changes that give the very same object back when nothing changed, so that untouched messages stay the caller's own.

export function mapSame<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

export function filterSame<T>(items: readonly T[], keep: (item: T) => boolean): readonly T[] {
  const kept = items.filter(keep);
  return kept.length === items.length ? items : kept;
}

/** The items without one for each of the ids, the last one of those that share an id. */
export function withoutIds<T>(
  items: readonly T[],
  ids: readonly string[],
  idOf: (item: T) => string | undefined,
): readonly T[] {
  const gone = new Set<T>();
  for (const id of ids) {
    const last = items.findLast((item) => idOf(item) === id && !gone.has(item));
    if (last !== undefined) gone.add(last);
  }
  return filterSame(items, (item) => !gone.has(item));
}

/** The object with these fields, `undefined` for one that goes; the object itself when it has them already. */
export function withFields<T extends object, F extends object>(object: T, fields: F): T & F {
  const isSame = Object.entries(fields).every(([key, value]) => value === Reflect.get(object, key));
  return isSame ? (object as T & F) : { ...object, ...fields };
}

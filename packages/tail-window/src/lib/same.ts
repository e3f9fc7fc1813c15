/** The object with these fields, `undefined` for one that goes; the object itself when they say what it says. */
export function withFields<T extends object, F extends object>(object: T, fields: F): T & F {
  const isUnchanged = Object.entries(fields).every(([key, value]) => isSame(value, Reflect.get(object, key)));
  return isUnchanged ? (object as T & F) : { ...object, ...fields };
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at])));

/** The items without one for each of the ids, the last one of those that share an id. */
export function withoutIds<T>(
  items: readonly T[],
  ids: readonly string[],
  idOf: (item: T) => string | undefined,
): readonly T[] {
  const left = new Map<string | undefined, number>();
  for (const id of ids) left.set(id, (left.get(id) ?? 0) + 1);
  const kept = items.toReversed().filter((item) => {
    const id = idOf(item);
    const more = left.get(id) ?? 0;
    left.set(id, more - 1);
    return more <= 0;
  });
  return kept.reverse();
}

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
  const left = [...ids];
  const kept = items.toReversed().filter((item) => {
    const at = left.indexOf(idOf(item) as string);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return kept.reverse();
}

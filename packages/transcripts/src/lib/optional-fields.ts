/** The object without the keys that are `undefined`: for exact optional fields and for lean JSON. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as { [K in keyof T]?: Exclude<T[K], undefined> };
}

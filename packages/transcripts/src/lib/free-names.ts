/** Names that are each given once. */
export interface FreeNames {
  isTaken(name: string): boolean;
  /** The name itself, or, when it is taken, the first free of its copies 2, 3 and so on. */
  take(name: string): string;
}

/** `spell` writes the copy of a name; it has to tell every two copies apart. */
export function createFreeNames(spell: (name: string, copy: number) => string): FreeNames {
  const taken = new Set<string>();
  /** Where the search goes on: to count from 2 for each of many equal names takes quadratic time. */
  const nextCopy = new Map<string, number>();
  return {
    isTaken: (name) => taken.has(name),
    take(name) {
      let free = name;
      if (taken.has(name)) {
        let copy = nextCopy.get(name) ?? 2;
        for (free = spell(name, copy); taken.has(free); free = spell(name, copy)) copy += 1;
        nextCopy.set(name, copy + 1);
      }
      taken.add(free);
      return free;
    },
  };
}

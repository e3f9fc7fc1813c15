/** A heap of numbers with the smallest on top. */
export interface MinHeap {
  size(): number;
  /** At most as often as the capacity. */
  push(entry: number): void;
  /** Takes the smallest. Only while the size is above 0. */
  pop(): number;
}

export function createMinHeap(capacity: number): MinHeap {
  const entries = new Float64Array(capacity);
  let size = 0;

  function push(entry: number): void {
    let at = size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = entries[parent] ?? 0;
      if (above <= entry) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }

  function pop(): number {
    const smallest = entries[0] ?? 0;
    size -= 1;
    const moved = entries[size] ?? 0;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && (entries[child + 1] ?? 0) < (entries[child] ?? 0)) child += 1;
      const below = entries[child] ?? 0;
      if (below >= moved) break;
      entries[at] = below;
      at = child;
    }
    entries[at] = moved;
    return smallest;
  }

  return { size: () => size, push, pop };
}

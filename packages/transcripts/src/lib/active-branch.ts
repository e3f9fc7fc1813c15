/** An entry of a tree that was written to a file in the order it grew. */
export interface TreeEntry {
  readonly id: string | undefined;
  /** `null` for a root; `undefined` when the entry names no parent and so follows the one before it. */
  readonly parentId: string | null | undefined;
}

export interface ActiveBranch {
  /** Indices into the entries, root first. */
  readonly path: readonly number[];
  /** Entries whose parent is not in the file; the entry before them stands in for it. */
  readonly mended: readonly number[];
}

/**
 * The path from the newest entry back to its root. An id used twice means its nearest earlier holder. A chain that a
 * lost line has cut goes on with the entry before the cut, so that nothing before it is lost.
 */
export function activeBranch(entries: readonly TreeEntry[]): ActiveBranch {
  const parents = parentIndices(entries);
  const mended: number[] = [];
  const path: number[] = [];
  const visited = new Set<number>();
  /** For a visited entry, how far down the entries are known to be visited. */
  const lower = new Map<number, number>();
  let current = newestLeaf(parents.map((parent) => parent.index));

  /** Remembers what it passed: to walk down a long stretch again for each cut takes quadratic time. */
  function unvisitedBefore(index: number): number {
    const passed: number[] = [];
    let next = index - 1;
    while (visited.has(next)) {
      passed.push(next);
      next = lower.get(next) ?? next - 1;
    }
    for (const entry of passed) lower.set(entry, next);
    return next;
  }

  while (current >= 0) {
    visited.add(current);
    path.push(current);
    const parent = parents[current];
    if (parent === undefined) break;
    let next = parent.index;
    if (parent.isLost || visited.has(next)) {
      mended.push(current);
      next = unvisitedBefore(current);
    }
    current = next;
  }
  return { path: path.reverse(), mended: mended.reverse() };
}

interface Parent {
  /** -1 for a root. */
  readonly index: number;
  readonly isLost: boolean;
}

function parentIndices(entries: readonly TreeEntry[]): readonly Parent[] {
  const indexOfId = new Map<string, number>();
  const parents = entries.map((entry, index): Parent | undefined => {
    const found = parentIndex(entry, index, indexOfId);
    if (entry.id !== undefined) indexOfId.set(entry.id, index);
    return found === undefined ? undefined : { index: found, isLost: false };
  });
  // A parent that stands later in the file: lines were swapped.
  return parents.map((parent, index) => {
    if (parent) return parent;
    const later = indexOfId.get(entries[index]?.parentId ?? "");
    return later === undefined || later === index
      ? { index: index - 1, isLost: true }
      : { index: later, isLost: false };
  });
}

function parentIndex(entry: TreeEntry, index: number, indexOfId: ReadonlyMap<string, number>): number | undefined {
  if (entry.parentId === undefined) return index - 1;
  if (entry.parentId === null) return -1;
  return indexOfId.get(entry.parentId);
}

/** The last entry, or, when later entries were swapped before it, the newest one that grew out of it. */
function newestLeaf(parents: readonly number[]): number {
  const lastChild = new Map<number, number>();
  for (const [index, parent] of parents.entries()) lastChild.set(parent, index);
  const visited = new Set<number>();
  let leaf = parents.length - 1;
  while (!visited.has(leaf)) {
    visited.add(leaf);
    leaf = lastChild.get(leaf) ?? leaf;
  }
  return leaf;
}

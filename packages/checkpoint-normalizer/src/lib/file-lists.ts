import type { CheckpointDetails } from "./checkpoint.ts";

/**
 * Paths in the order of last use, newest last, whatever that use was: a modified file that was read once more is the
 * newest among the modified. A path that was ever modified stands only among the modified.
 */
export interface MergedFileLists {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/**
 * The file lists of a chain carried on: what the previous record lists, then what the new range used. A path used again
 * moves to the end of its list; one that was ever modified stays among the modified, also when it was only read since.
 *
 * @param files the range's own lists, each in the order of last use. Two lists do not tell how their uses alternated, so
 * what the range only read counts as used before what it modified.
 */
export function mergeFileLists(
  previous: CheckpointDetails | undefined,
  files: { readonly readFiles: readonly string[]; readonly modifiedFiles: readonly string[] },
): MergedFileLists {
  const modified = new Set([...(previous?.modifiedFiles ?? []), ...files.modifiedFiles]);
  const used = [
    ...(previous?.readFiles ?? []),
    ...(previous?.modifiedFiles ?? []),
    ...files.readFiles,
    ...files.modifiedFiles,
  ];
  // A Set keeps the first place of a path, so the list is walked from its newest end.
  const byLastUse = [...new Set(used.toReversed())].toReversed();
  return {
    readFiles: byLastUse.filter((path) => !modified.has(path)),
    modifiedFiles: byLastUse.filter((path) => modified.has(path)),
  };
}

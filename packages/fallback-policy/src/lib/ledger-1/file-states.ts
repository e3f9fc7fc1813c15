import type { TouchedFile } from "../touched-files.ts";
import { addToList } from "./add-to-list.ts";
import { excerptOfEnds } from "./excerpt.ts";
import type { LedgerFile, Listed } from "./ledger.ts";
import { maxCharacters } from "./ledger-bounds.ts";

/** Files with how often they were read and modified, and what was done to each last. */
export function addFileUses(list: Listed<LedgerFile>, uses: readonly TouchedFile[]): Listed<LedgerFile> {
  const storable = uses.map((use) => ({ ...use, path: excerptOfEnds(use.path, maxCharacters.path) }));
  return addToList(list, storable, {
    keyOf: (file) => file.path,
    keyOfSeen: (use) => use.path,
    add: (file, use) => ({
      path: use.path,
      reads: (file?.reads ?? 0) + (use.effect === "read" ? 1 : 0),
      modifications: (file?.modifications ?? 0) + (use.effect === "modify" ? 1 : 0),
      last: use.effect,
    }),
  });
}

import type { TouchedFile } from "../touched-files.ts";
import { addToList } from "./add-to-list.ts";
import type { LedgerFile, Listed } from "./ledger.ts";

/** Files with how often they were read and modified, and what was done to each last. */
export function addFileUses(list: Listed<LedgerFile>, uses: readonly TouchedFile[]): Listed<LedgerFile> {
  return addToList(list, uses, {
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

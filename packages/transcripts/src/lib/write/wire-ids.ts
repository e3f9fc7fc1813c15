import { createFreeNames } from "../free-names.ts";

/** What a provider allows for the id of a call. */
export interface IdRule {
  readonly maxLength: number;
  /** Whether an id may come again in a later message. */
  readonly mayRepeat: boolean;
}

/**
 * Ids a provider takes, for the calls of one message at a time: letters, digits, `_` and `-`, within the length, unique.
 * An id that is good already stays as it is.
 */
export function createWireIds({ maxLength, mayRepeat }: IdRule): (ids: readonly string[]) => readonly string[] {
  const freeIds = () => createFreeNames((id, copy) => `${id.slice(0, maxLength - `_${copy}`.length)}_${copy}`);
  let free = freeIds();
  return (ids) => {
    if (mayRepeat) free = freeIds();
    return ids.map((id) => free.take(wireName(id, maxLength)));
  };
}

/** A name with what providers refuse replaced by `_`, cut to the length they allow. */
export function wireName(name: string, maxLength: number): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxLength);
  return clean === "" ? "_" : clean;
}

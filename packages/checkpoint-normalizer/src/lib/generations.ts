import { generationField } from "./checkpoint-schema.ts";
import { isJsonObject } from "./json-value.ts";

/**
 * The highest generation of a chain; 0 for an empty one. Records that cannot be read count too, those of a newer version
 * above all: a store counts them, so the next append expects this number.
 */
export function newestGeneration(chain: readonly unknown[]): number {
  return claimedGenerations(chain).reduce((newest, generation) => Math.max(newest, generation), 0);
}

/** What each record of a chain counts as: what it says, else one more than the record before it. */
export function claimedGenerations(chain: readonly unknown[]): readonly number[] {
  let previous = 0;
  return chain.map((record) => {
    previous = claimedGeneration(record) ?? previous + 1;
    return previous;
  });
}

function claimedGeneration(record: unknown): number | undefined {
  try {
    if (!isJsonObject(record) || !isJsonObject(record.details)) return undefined;
    const claimed = generationField.safeParse(record.details.generation);
    return claimed.success && claimed.data > 0 ? claimed.data : undefined;
  } catch {
    // A getter that throws: the record is refused when it is read, here it only needs a place.
    return undefined;
  }
}

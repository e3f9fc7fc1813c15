import type { Encoding } from "./encoding.ts";
import { type CountText, createTextCounter } from "./text-counter.ts";

const loading = new Map<Encoding, Promise<CountText>>();
const loaded = new Map<Encoding, WeakRef<CountText>>();

/**
 * One set of tables per encoding serves every counter of the process. It is held weakly here: the counters own it,
 * and with the last of them it is garbage, until then a new counter costs nothing.
 */
export async function sharedTextCounter(encoding: Encoding): Promise<CountText> {
  const shared = loaded.get(encoding)?.deref();
  if (shared) return shared;
  let counter = loading.get(encoding);
  if (!counter) {
    counter = createTextCounter(encoding)
      .then((countText) => {
        loaded.set(encoding, new WeakRef(countText));
        return countText;
      })
      .finally(() => loading.delete(encoding));
    loading.set(encoding, counter);
  }
  return counter;
}

import type { MessageShape } from "./message-shape.ts";
import { type Entry, type Match, openCallIds, openResultIds, type Unit } from "./units.ts";

/** What is sent of a message: the message itself, or what is left of it. */
export interface Form<M> {
  readonly entry: Entry<M>;
  readonly message: M;
}

/**
 * What a unit keeps when only `matches` stand. Oldest first. A call without its result and a result without its call
 * are taken out, and what is then blank or only reasoning goes as well.
 */
export function formsOf<M>(unit: Unit<M>, matches: readonly Match<M>[], shape: MessageShape<M>): Form<M>[] {
  const forms: Form<M>[] = [];
  const pairs = [...unit.earlierMatches, ...matches];
  const keep = (entry: Entry<M>): boolean => {
    const message = entry.isDiscarded ? undefined : remainder(entry, pairs, shape);
    if (message === undefined) return false;
    forms.push({ entry, message });
    return true;
  };
  // Reasoning that stands in a message of its own stays only with what it led to.
  let ledToIsKept = false;
  let newerIsReasoning = false;
  for (const entry of unit.members) {
    const isReasoning = shape.joinsNext?.(entry.message) === true && shape.isEmpty?.(entry.message) === true;
    if (isReasoning) {
      if (ledToIsKept && !entry.isDiscarded) forms.push({ entry, message: entry.message });
    } else {
      if (newerIsReasoning) ledToIsKept = false;
      const isKept = keep(entry);
      if (entry.role === "assistant") ledToIsKept ||= isKept;
    }
    newerIsReasoning = isReasoning;
  }
  const elsewhere = new Set(matches.map(({ answerer }) => answerer));
  for (const entry of elsewhere) if (!unit.members.includes(entry)) keep(entry);
  return forms.sort((a, b) => a.entry.index - b.entry.index);
}

function remainder<M>(entry: Entry<M>, matches: readonly Match<M>[], shape: MessageShape<M>): M | undefined {
  const { callIds, resultIds } = entry;
  const openCalls = openCallIds(entry, matches);
  const openResults = openResultIds(entry, matches);
  let message = entry.message;
  if (openCalls.length > 0) {
    if (!shape.withoutToolCalls) return undefined;
    message = shape.withoutToolCalls(message, openCalls);
  }
  if (openResults.length > 0) {
    if (!shape.withoutToolResults || (entry.role === "tool" && openResults.length === resultIds.length)) {
      return undefined;
    }
    message = shape.withoutToolResults(message, openResults);
  }
  const saysSomething = openCalls.length < callIds.length || openResults.length < resultIds.length;
  return saysSomething || !shape.isEmpty?.(message) ? message : undefined;
}

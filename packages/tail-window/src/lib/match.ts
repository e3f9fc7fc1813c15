import type { Entry } from "./entry.ts";
import { remainder } from "./forms.ts";
import type { MessageShape } from "./message-shape.ts";

/** A call and the message with its result. */
export interface Match<M> {
  readonly id: string;
  readonly caller: Entry<M>;
  readonly answerer: Entry<M>;
}

/** Takes call and result for unpaired again. */
export function open<M>({ id, caller, answerer }: Match<M>): void {
  caller.openCallIds.push(id);
  answerer.openResultIds.push(id);
}

/**
 * Pairs calls and results, and gives back the pairs that can be kept. The others belong to a message that would have to
 * be split and whose shape cannot do it, or to a call that its shape takes out along with an unanswered one.
 */
export function closeMatches<M>(matches: readonly Match<M>[], shape: MessageShape<M>): Match<M>[] {
  for (const { id, caller, answerer } of matches) {
    remove(caller.openCallIds, id);
    remove(answerer.openResultIds, id);
  }
  const isWhole = ({ answerer }: Match<M>) => remainder(answerer, shape) !== undefined;
  const isCalled = ({ id, caller }: Match<M>) => {
    const message = remainder(caller, shape);
    return message !== undefined && shape.toolCallIds(message).includes(id);
  };
  const standing: Match<M>[] = [];
  for (const match of matches) {
    if (isWhole(match) && isCalled(match)) standing.push(match);
    else open(match);
  }
  return standing;
}

function remove(ids: string[], id: string): void {
  const at = ids.indexOf(id);
  if (at >= 0) ids.splice(at, 1);
}

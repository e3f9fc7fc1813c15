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
  let standing = [...matches];
  let before: number;
  do {
    before = standing.length;
    standing = standing.filter((match) => {
      const stands = canBeKept(match, shape);
      if (!stands) open(match);
      return stands;
    });
  } while (standing.length < before);
  return standing;
}

function canBeKept<M>({ id, caller, answerer }: Match<M>, shape: MessageShape<M>): boolean {
  const message = remainder(caller, shape);
  return message !== undefined && shape.toolCallIds(message).includes(id) && remainder(answerer, shape) !== undefined;
}

function remove(ids: string[], id: string): void {
  const at = ids.indexOf(id);
  if (at >= 0) ids.splice(at, 1);
}

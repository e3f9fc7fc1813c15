import { checkedRole } from "./checked-input.ts";
import type { MessageRole, MessageShape } from "./message-shape.ts";
import type { OmissionReason } from "./tail-window.ts";

/** A message that was read. */
export interface Entry<M> {
  readonly index: number;
  readonly message: M;
  readonly role: MessageRole;
  readonly callIds: readonly string[];
  readonly resultIds: readonly string[];
  readonly isDiscarded: boolean;
  /** It has a part in an exchange that can be kept, if the budget allows. */
  isPaired: boolean;
  /** Why nothing of it can be kept, where its own content does not say so. */
  reason?: OmissionReason;
}

/** A tool result and the call it answers, each by its place in its message. */
export interface Match<M> {
  readonly caller: Entry<M>;
  readonly callAt: number;
  readonly answerer: Entry<M>;
  /** -1 where the message answers by what it says, not by a result (`answeredOnSend`). */
  readonly resultAt: number;
}

/**
 * What is kept or left out together: one message, or an exchange. The messages of `members` stand next to each other,
 * newest first; the results they call for may stand anywhere behind them.
 */
export interface Unit<M> {
  readonly members: readonly Entry<M>[];
  /** In the order of the calls. */
  readonly matches: readonly Match<M>[];
  /** Matches of newer units with other results in the same messages. */
  readonly earlierMatches: readonly Match<M>[];
}

/**
 * The units of the list from the newest to the oldest, read as they are asked for; asking for the next one says that
 * the one before was taken. Pairing is by position: walking back, a call takes the nearest result behind it with its
 * id that no nearer call took, which is the same as every result taking its nearest unanswered call.
 */
export function* unitsFromTheEnd<M>(
  messages: readonly M[],
  firstIndex: number,
  shape: MessageShape<M>,
): Generator<Unit<M>, void> {
  const waiting = new Map<string, Pick<Match<M>, "answerer" | "resultAt">[]>();
  const matchesOf = new Map<Entry<M>, readonly Match<M>[]>();
  const earlierMatchesOf = (matches: readonly Match<M>[]) =>
    [...new Set(matches.map(({ answerer }) => answerer))].flatMap((answerer) => matchesOf.get(answerer) ?? []);
  let newest: Entry<M> | undefined;
  for (let index = messages.length - 1; index >= firstIndex; ) {
    const members: Entry<M>[] = [];
    let matches: readonly Match<M>[] = [];
    let joined: boolean | undefined;
    do {
      const entry = readEntry(messages[index] as M, index, shape);
      index -= 1;
      members.push(entry);
      for (let resultAt = entry.resultIds.length - 1; resultAt >= 0; resultAt--) {
        const id = entry.resultIds[resultAt] as string;
        const queue = waiting.get(id) ?? [];
        queue.push({ answerer: entry, resultAt });
        waiting.set(id, queue);
      }
      newest ??= entry;
      const onSend = entry.callIds.length > 0 ? shape.answeredOnSend?.(entry.message, newest.message) : undefined;
      const answered: Match<M>[] = [];
      for (const [callAt, id] of entry.callIds.entries()) {
        const result =
          waiting.get(id)?.pop() ?? (onSend?.includes(id) ? { answerer: newest, resultAt: -1 } : undefined);
        if (result) answered.push({ caller: entry, callAt, ...result });
      }
      matches = [...answered, ...matches];
      // A user message that answers calls is decided on together with the message that made them.
      const next = index >= firstIndex ? (messages[index] as M) : undefined;
      joined =
        next !== undefined &&
        ((entry.role === "assistant" && shape.joinsNext?.(next)) ||
          (entry.role === "user" && shape.toolCallIds(next).some((id) => entry.resultIds.includes(id))));
    } while (joined);

    for (const { caller, answerer } of matches) if (caller.isDiscarded) answerer.reason = "discarded";
    matches = matches.filter(({ caller }) => !caller.isDiscarded);
    const earlierMatches = earlierMatchesOf(matches);
    matches = standingMatches(matches, earlierMatches, shape);
    for (const match of matches) {
      match.caller.isPaired = match.answerer.isPaired = true;
      matchesOf.set(match.answerer, [...(matchesOf.get(match.answerer) ?? []), match]);
    }
    yield { members, matches, earlierMatches };
  }
}

function readEntry<M>(original: M, index: number, shape: MessageShape<M>): Entry<M> {
  const role = checkedRole(original, index, shape);
  const message = shape.withoutBlankText?.(original) ?? original;
  const isDiscarded = shape.isDiscarded?.(message) ?? false;
  const resultIds = isDiscarded ? [] : shape.toolResultIds(message);
  return {
    index,
    message,
    role,
    callIds: shape.toolCallIds(message),
    resultIds,
    isDiscarded,
    isPaired: false,
    ...(isDiscarded ? { reason: "discarded" } : {}),
  };
}

/**
 * The matches that can be kept together. The others belong to a message that would have to be split and whose shape
 * cannot do it, or to a call that its shape takes out along with an unanswered one.
 */
export function standingMatches<M>(
  matches: readonly Match<M>[],
  earlierMatches: readonly Match<M>[],
  shape: MessageShape<M>,
): readonly Match<M>[] {
  const callStands = ({ caller, callAt }: Match<M>): boolean => {
    const open = openCallIds(caller, matches);
    if (open.length === 0) return true;
    if (!shape.withoutToolCalls) return false;
    const id = caller.callIds[callAt] as string;
    return shape.toolCallIds(shape.withoutToolCalls(caller.message, open)).includes(id);
  };
  const resultStands = ({ answerer }: Match<M>): boolean =>
    shape.withoutToolResults !== undefined || openResultIds(answerer, [...earlierMatches, ...matches]).length === 0;

  const standing = matches.filter((match) => {
    if (callStands(match)) return resultStands(match);
    match.answerer.reason = "unanswered_call";
    return false;
  });
  return standing.length === matches.length ? matches : standingMatches(standing, earlierMatches, shape);
}

/** The calls of the message that none of the matches answers. */
export function openCallIds<M>(caller: Entry<M>, matches: readonly Match<M>[]): string[] {
  const answered = new Set(matches.flatMap((match) => (match.caller === caller ? [match.callAt] : [])));
  return caller.callIds.filter((_, callAt) => !answered.has(callAt));
}

/** The results of the message that none of the matches has a call for. */
export function openResultIds<M>(answerer: Entry<M>, matches: readonly Match<M>[]): string[] {
  const wanted = new Set(matches.flatMap((match) => (match.answerer === answerer ? [match.resultAt] : [])));
  return answerer.resultIds.filter((_, resultAt) => !wanted.has(resultAt));
}

/** Why a message of which nothing was kept is not in the window. */
export function omissionReason<M>(entry: Entry<M>, shape: MessageShape<M>): OmissionReason {
  if (entry.reason) return entry.reason;
  if (entry.isPaired) return "budget";
  if (entry.callIds.length > 0) return "unanswered_call";
  if (entry.resultIds.length > 0) return "orphaned_result";
  return shape.isEmpty?.(entry.message) ? "empty" : "budget";
}

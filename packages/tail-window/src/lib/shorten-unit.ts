import type { Entry, Selection } from "./entry.ts";
import { addedTokens, type Form, formsOf, tokensOf } from "./forms.ts";
import { shareOut } from "./share-out.ts";

/** Tokens above its shortest form that a tool result keeps before other text of its exchange is shortened. */
const readableTokens = 64;

/** How often the number of calls that fit is guessed before the best guess is taken. */
const mostGuesses = 4;

/** Whoever is sent the list runs a call of the message with its arguments, so that they are never edited. */
const isAboutToRun = <M>({ calls }: Entry<M>): boolean =>
  calls.some((link) => link.isPaired && link.answerer && !link.answerer.results.includes(link));

/** A form on its way from the shortest to the longest that there is room for. */
interface Piece<M> extends Form<M> {
  message: M;
  readonly long: Form<M>;
}

/**
 * What is kept of a unit that adds at most what is left; nothing when it cannot be made short enough. Where the
 * shortest forms do not fit, reasoning goes, then as many of the oldest calls with their results as must, down to
 * `fewestCalls`.
 */
export function shortenUnit<M>(
  members: readonly Entry<M>[],
  selection: Selection<M>,
  fewestCalls: number,
): readonly Form<M>[] {
  const { shape, count, leftTokens } = selection;
  if (!shape.shorten) return [];
  const shorten = (form: Form<M>, maxTokens: number): Form<M> => {
    const countDraft = (draft: M) => count(draft, form.entry.index);
    return { ...form, message: shape.shorten?.(form.message, maxTokens, countDraft) ?? form.message };
  };
  const shortest = new Map<M, M>();
  const toPiece = (long: Form<M>): Piece<M> => {
    const message = isAboutToRun(long.entry) ? long.message : (shortest.get(long.message) ?? shorten(long, 0).message);
    shortest.set(long.message, message);
    return { ...long, message, long };
  };
  const withoutReasoning = (form: Form<M>) => {
    if (!shape.withoutReasoning || isAboutToRun(form.entry)) return form;
    const message = shape.withoutReasoning(form.message);
    return message ? { ...form, message } : [];
  };
  const piecesOf = (calls: number) => formsOf(members, shape, calls).flatMap(withoutReasoning).map(toPiece);

  let pieces = formsOf(members, shape).map(toPiece);
  const { length: calls } = members.flatMap((entry) => entry.calls);
  if (addedTokens(pieces, selection) > leftTokens) pieces = piecesOf(calls);
  let overTokens = addedTokens(pieces, selection);
  const isTooLong = overTokens > leftTokens;
  if (isTooLong) {
    pieces = piecesOf(fewestCalls);
    let underTokens = addedTokens(pieces, selection);
    if (underTokens > leftTokens) return [];
    let under = fewestCalls;
    for (let over = calls, guesses = mostGuesses; guesses > 0 && over - under > 1; guesses--) {
      const part = (leftTokens - underTokens) / (overTokens - underTokens);
      const guess = under + Math.max(1, Math.floor(part * (over - under)));
      const draft = piecesOf(guess);
      const tokens = addedTokens(draft, selection);
      if (tokens > leftTokens) [over, overTokens] = [guess, tokens];
      else [under, underTokens, pieces] = [guess, tokens, draft];
    }
    // Which calls are kept is noted where they are paired: as for the best guess, not as for the last.
    formsOf(members, shape, under);
  }

  const tokens = (form: Form<M>): number => tokensOf(form, selection);
  const wanted = (piece: Piece<M>): number => tokens(piece.long) - tokens(piece);
  const give = (some: readonly Piece<M>[], room: number): number =>
    room -
    shareOut(some, room, wanted, (piece, share) => {
      const longer = shorten(piece.long, tokens(piece) + share);
      const gained = tokens(longer) - tokens(piece);
      if (gained > share) return 0;
      piece.message = longer.message;
      return gained;
    });

  // A message that lost calls or results was counted often enough, and stays at its shortest.
  const open = isTooLong ? pieces.filter(({ entry, long }) => entry.message === long.message) : pieces;
  const others = open.filter(({ entry }) => entry.results.length === 0);
  const results = open.filter(({ entry }) => entry.results.length > 0).sort((a, b) => a.entry.index - b.entry.index);
  const readable = results.reduce((sum, piece) => sum + Math.min(readableTokens, wanted(piece)), 0);
  let room = leftTokens - addedTokens(pieces, selection);
  room -= give(others, room - readable);
  // Where not all results can be read, the oldest get what the newest leave, or keep only their marker.
  const newest = Math.max(1, Math.floor(room / readableTokens));
  room -= give(results.slice(-newest), room);
  give(results.slice(0, -newest), room);
  return pieces;
}

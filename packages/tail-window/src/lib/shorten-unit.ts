import type { Entry, Selection } from "./entry.ts";
import { addedTokens, type Form, formsOf, tokensOf } from "./forms.ts";
import { shareOut } from "./share-out.ts";

/** Tokens above its shortest form that a tool result keeps before other text of its exchange is shortened. */
const readableTokens = 64;

/** Of an exchange whose shortest form is too long at most this many calls are kept. */
const mostCallsOfLongest = 16;

/** A form on its way from the shortest to the longest that there is room for. */
interface Piece<M> extends Form<M> {
  message: M;
  readonly long: Form<M>;
}

/**
 * What is kept of a unit that adds at most what is left; nothing when it cannot be made short enough. Where the
 * shortest forms do not fit, reasoning goes, then the oldest calls with their results.
 */
export function shortenUnit<M>(members: readonly Entry<M>[], selection: Selection<M>): readonly Form<M>[] {
  const { shape, count, leftTokens } = selection;
  if (!shape.shorten) return [];
  const shorten = (form: Form<M>, maxTokens: number): Form<M> => {
    const countDraft = (draft: M) => count(draft, form.entry.index);
    return { ...form, message: shape.shorten?.(form.message, maxTokens, countDraft) ?? form.message };
  };
  const toPiece = (long: Form<M>): Piece<M> => ({ ...shorten(long, 0), long });
  const withoutReasoning = (form: Form<M>) => {
    const message = shape.withoutReasoning ? shape.withoutReasoning(form.message) : form.message;
    return message ? { ...form, message } : [];
  };

  const forms = formsOf(members, shape);
  let pieces = forms.map(toPiece);
  if (addedTokens(pieces, selection) > leftTokens) pieces = forms.flatMap(withoutReasoning).map(toPiece);
  const calls = members.flatMap((entry) => entry.calls).length;
  let mostCalls = calls;
  while (addedTokens(pieces, selection) > leftTokens) {
    mostCalls = Math.min(mostCallsOfLongest, mostCalls >> 1);
    if (mostCalls === 0) return [];
    pieces = formsOf(members, shape, mostCalls).flatMap(withoutReasoning).map(toPiece);
  }
  // Once calls had to go, the rest stays at its shortest.
  if (mostCalls < calls) return pieces;

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

  const others = pieces.filter(({ entry }) => entry.results.length === 0);
  const results = pieces.filter(({ entry }) => entry.results.length > 0).sort((a, b) => a.entry.index - b.entry.index);
  const readable = results.reduce((sum, piece) => sum + Math.min(readableTokens, wanted(piece)), 0);
  let room = leftTokens - addedTokens(pieces, selection);
  room -= give(others, room - readable);
  // Where not all results can be read, the oldest get what the newest leave, or keep only their marker.
  const newest = Math.max(1, Math.floor(room / readableTokens));
  room -= give(results.slice(-newest), room);
  give(results.slice(0, -newest), room);
  return pieces;
}

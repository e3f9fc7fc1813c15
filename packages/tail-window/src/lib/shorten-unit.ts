import type { Entry, Source } from "./entry.ts";
import { type Form, formsOf } from "./forms.ts";
import { type Match, open } from "./match.ts";
import { shareOut } from "./share-out.ts";

/** Tokens above its shortest form that a tool result keeps before other text of its exchange is shortened. */
const readableTokens = 64;

/**
 * What is kept of a unit that adds at most `left` tokens; nothing when it cannot be made short enough. Where the
 * shortest forms do not fit, reasoning goes, then the oldest calls with their results.
 */
export function shortenUnit<M>(
  unit: Iterable<Entry<M>>,
  matches: Match<M>[],
  left: number,
  { shape, count }: Source<M>,
): Form<M>[] {
  const shorten = (message: M, index: number, maxTokens: number): M =>
    shape.shorten?.(message, maxTokens, (draft) => count(draft, index)) ?? message;
  const shortest = new Map<M, M>();

  for (let attempt = 0; ; attempt++) {
    if (attempt > 1) {
      if (!shape.shorten || matches.length < 2) return [];
      for (const match of matches.splice(0, Math.max(Math.ceil(matches.length / 2), matches.length - 16))) open(match);
    }
    const pieces = formsOf(unit, shape).flatMap(({ entry, message: form }) => {
      const whole = attempt > 0 && shape.withoutReasoning ? shape.withoutReasoning(form) : form;
      if (whole === undefined) return [];
      const message = shortest.get(whole) ?? shorten(whole, entry.index, 0);
      shortest.set(whole, message);
      return { entry, message, whole, tokens: count(message, entry.index) };
    });
    let unused = pieces.reduce((sum, { entry, tokens }) => sum + entry.tokens - tokens, left);
    if (unused < 0) continue;
    // Once calls had to go, the rest stays at its shortest.
    if (attempt > 1) return pieces;

    const wanted = ({ whole, entry, tokens }: (typeof pieces)[number]) => count(whole, entry.index) - tokens;
    const give = (chosen: typeof pieces, room: number) => {
      unused -=
        room -
        shareOut(chosen, room, wanted, (piece, share) => {
          const longer = shorten(piece.whole, piece.entry.index, piece.tokens + share);
          const gained = count(longer, piece.entry.index) - piece.tokens;
          if (gained > share) return 0;
          piece.message = longer;
          return gained;
        });
    };
    const isResult = ({ whole }: (typeof pieces)[number]) => shape.toolResultIds(whole).length > 0;
    const results = pieces.filter(isResult).sort((a, b) => a.entry.index - b.entry.index);
    const readable = results.reduce((sum, piece) => sum + Math.min(readableTokens, wanted(piece)), 0);
    give(
      pieces.filter((piece) => !isResult(piece)),
      unused - readable,
    );
    // Where not all results can be read, the oldest get what the newest leave, or keep only their marker.
    const newest = Math.max(1, Math.floor(unused / readableTokens));
    give(results.slice(-newest), unused);
    give(results.slice(0, -newest), unused);
    return pieces;
  }
}

import type { Entry } from "./entry.ts";
import { fairShares } from "./fair-shares.ts";
import { type Form, formsOf, type Match } from "./forms.ts";
import type { Source } from "./source.ts";

/** Tokens above its shortest form that a tool result keeps before other text of its exchange is shortened. */
const readableTokens = 64;

/**
 * What is kept of a unit that adds at most `left` tokens; nothing when it cannot be made short enough. Where the
 * shortest forms do not fit, reasoning goes, then the oldest calls with their results.
 */
export function shortenUnit<M>(
  members: readonly Entry<M>[],
  matches: readonly Match<M>[],
  left: number,
  source: Source<M>,
): Form<M>[] {
  const { shape, count } = source;
  const tokensOf = ({ entry, message }: Form<M>) => count(message, entry.index);
  const shorten = (form: Form<M>, maxTokens: number): Form<M> => {
    const { entry, message } = form;
    return { ...form, message: shape.shorten?.(message, maxTokens, (draft) => count(draft, entry.index)) ?? message };
  };
  const shortestForms = new Map<M, Form<M>>();
  const shortest = (form: Form<M>): Form<M> => {
    const known = shortestForms.get(form.message) ?? shorten(form, 0);
    shortestForms.set(form.message, known);
    return known;
  };

  let size = matches.length;
  for (let attempt = 0; ; attempt++) {
    if (attempt > 1) {
      if (size === 0) return [];
      size = Math.min(size >> 1, 16);
    }
    const forms = formsOf(members, matches.slice(matches.length - size), source).flatMap((form) => {
      const message = attempt > 0 && shape.withoutReasoning ? shape.withoutReasoning(form.message) : form.message;
      return message === undefined ? [] : { ...form, message };
    });
    const spare = forms.reduce((sum, form) => sum + form.entry.keptTokens - tokensOf(shortest(form)), left);
    // Once calls had to go, the rest stays at its shortest.
    if (spare >= 0) return attempt > 1 ? forms.map(shortest) : lengthen(forms, spare);
  }

  /** Shares out what is left: the results get a readable length, then come the other messages, then the results again. */
  function lengthen(forms: readonly Form<M>[], spare: number): Form<M>[] {
    let unused = spare;
    const pieces = forms.map((form) => ({
      form,
      kept: shortest(form),
      wanted: tokensOf(form) - tokensOf(shortest(form)),
    }));
    const give = (chosen: typeof pieces, most: number) => {
      const shares = fairShares(
        most,
        chosen.map(({ wanted }) => wanted),
      );
      for (const [at, piece] of chosen.entries()) {
        const share = shares[at] ?? 0;
        const longer = share > 0 ? shorten(piece.form, tokensOf(piece.kept) + share) : piece.kept;
        const gained = tokensOf(longer) - tokensOf(piece.kept);
        if (gained > unused) continue;
        piece.kept = longer;
        unused -= gained;
      }
    };
    const isResult = ({ form }: (typeof pieces)[number]) => shape.toolResultIds(form.message).length > 0;
    const results = pieces.filter(isResult).sort((a, b) => a.form.entry.index - b.form.entry.index);
    const readable = results.reduce((sum, { wanted }) => sum + Math.min(readableTokens, wanted), 0);
    give(
      pieces.filter((piece) => !isResult(piece)),
      unused - readable,
    );
    // Where that is not enough to read them all, the oldest keep only their marker.
    give(results.slice(-Math.max(1, unused / readableTokens)), unused);
    return pieces.map(({ kept }) => kept);
  }
}

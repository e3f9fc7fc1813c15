import { cutText, markerCharacters } from "./cut-text.ts";
import { type Claim, dealOut } from "./deal-out.ts";
import type { CountTokens } from "./message-shape.ts";

/** Where a text of a message stands. The two kinds of picture are shown by what they are in a word, and a non-empty answer replaces them. */
export type TextPlace = "resultPicture" | "result" | "text" | "argument" | "picture";

/** Shows every text of the message in a fixed order and puts back what `edit` makes of it; reasoning is never shown. */
export type EditTexts<Base> = <M extends Base>(message: M, edit: (place: TextPlace, text: string) => string) => M;

/** Every text gets this much, if it can be had, before one of another place gets more. */
const readableCharacters = 240;

/** Texts of a later rank give way first. */
const ranks = ["argument", "text", "result"];

/**
 * The message in at most `maxTokens` if its texts allow it, else in its shortest form. Given up in this order: pictures
 * of results, result texts, other text, strings in arguments, the rest of the oldest results, other pictures.
 * Counts at most eight times, not at all when `maxTokens` is 0.
 */
export function shortenTexts<Base, M extends Base>(
  message: M,
  maxTokens: number,
  countTokens: CountTokens<M>,
  editTexts: EditTexts<Base>,
): M {
  const draftOf = (share: number, keepsPictures: boolean) => cutTexts(message, share, keepsPictures, editTexts);
  if (maxTokens <= 0) return draftOf(0, false);
  let exceeds = { share: 1, tokens: countTokens(message) };
  if (exceeds.tokens <= maxTokens) return message;
  let keepsPictures = true;
  let best = draftOf(0, keepsPictures);
  let fits = { share: 0, tokens: countTokens(best) };
  if (fits.tokens > maxTokens) {
    keepsPictures = false;
    best = draftOf(0, keepsPictures);
    fits = { share: 0, tokens: countTokens(best) };
  }

  // How much of the texts may stay is found by closing in on it between a share that fits and one that does not. Texts
  // that are denser at their ends than in the middle make a straight guess too high: each miss lowers the aim.
  let aim = maxTokens;
  let share = 1;
  for (let attempt = 0; attempt < 5 && fits.tokens < maxTokens * 0.95 && share > fits.share; attempt++) {
    const draft = draftOf(share, keepsPictures);
    const tokens = draft === message ? exceeds.tokens : countTokens(draft);
    if (tokens <= maxTokens) {
      best = draft;
      fits = { share, tokens };
      aim = maxTokens;
    } else {
      if (share < 1) aim = fits.tokens + (aim - fits.tokens) * 0.75;
      exceeds = { share, tokens };
    }
    share = fits.share + ((aim - fits.tokens) * (exceeds.share - fits.share)) / (exceeds.tokens - fits.tokens);
  }
  return best;
}

/** The message with this share of what can be cut from its texts, and all the rest but pictures. */
function cutTexts<Base, M extends Base>(
  message: M,
  share: number,
  keepsPictures: boolean,
  editTexts: EditTexts<Base>,
): M {
  const claims: Claim[] = [];
  let wantedCharacters = 0;
  editTexts(message, (place, text) => {
    const wanted = Math.max(0, text.length - markerCharacters);
    claims.push({ rank: ranks.indexOf(place), wanted, given: 0 });
    wantedCharacters += wanted;
    return text;
  });
  dealOut(claims, Math.floor(wantedCharacters * share), readableCharacters);
  // Taken by an iterator: a long array is moved as a whole each time its first item is taken off.
  const dealt = claims.values();
  return editTexts(message, (place, text) => {
    const given = dealt.next().value?.given ?? 0;
    if (place === "resultPicture" || (place === "picture" && !keepsPictures)) return `[${text} left out]`;
    if (place === "picture") return "";
    return cutText(text, markerCharacters + given);
  });
}

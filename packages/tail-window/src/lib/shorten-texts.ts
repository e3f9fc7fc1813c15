import { cutText, markerCharacters } from "./cut-text.ts";
import { type Claim, dealOut } from "./deal-out.ts";
import type { CountTokens } from "./message-shape.ts";
import type { EditPiece, EditPieces } from "./pieces.ts";

/** Every text gets this much, if it can be had, before one of another kind gets more. */
const readableCharacters = 240;

/** Texts of a later rank give way first. What is none of these is not cut. */
const ranks = ["argument", "text", "resultText"];

/**
 * The message in at most `maxTokens` if its texts allow it, else in its shortest form. Given up in this order: pictures
 * of results, texts of results, other text, strings in arguments, the rest of the oldest results, other pictures.
 * Counts the message and at most four drafts; counts nothing when `maxTokens` is 0.
 */
export function shortenTexts<Base, M extends Base>(
  message: M,
  maxTokens: number,
  countTokens: CountTokens<M>,
  editPieces: EditPieces<Base>,
): M {
  let keepsPictures = maxTokens > 0;
  const draftOf = (share: number): M => cutTexts(message, share, keepsPictures, editPieces);
  let best = draftOf(0);
  if (!keepsPictures) return best;
  let [high, highTokens] = [1, countTokens(message)];
  if (highTokens <= maxTokens) return message;
  let [low, lowTokens] = [0, countTokens(best)];
  if (lowTokens > maxTokens) {
    keepsPictures = false;
    best = draftOf(0);
    lowTokens = countTokens(best);
  }
  // How much of the texts may stay is guessed from a share that fits and one that does not. Texts that are denser at
  // their ends than in the middle make a straight guess too high: after a miss the aim is lower.
  let aim = 0.99;
  for (let guesses = 2; guesses > 0 && lowTokens < maxTokens * 0.95; guesses--) {
    const share = low + (aim * (maxTokens - lowTokens) * (high - low)) / (highTokens - lowTokens);
    const draft = draftOf(share);
    const tokens = countTokens(draft);
    if (tokens > maxTokens) {
      [high, highTokens] = [share, tokens];
      aim = 0.6;
    } else {
      [best, low, lowTokens] = [draft, share, tokens];
    }
  }
  return best;
}

/** The message with this share of what can be cut from its texts, and all the rest but pictures. */
function cutTexts<Base, M extends Base>(
  message: M,
  share: number,
  keepsPictures: boolean,
  editPieces: EditPieces<Base>,
): M {
  const claims: Claim[] = [];
  let wantedCharacters = 0;
  const claim: EditPiece = (kind, text) => {
    const wanted = Math.max(0, text.length - markerCharacters);
    if (ranks.includes(kind)) {
      claims.push({ rank: ranks.indexOf(kind), wanted, given: 0 });
      wantedCharacters += wanted;
    }
    return text;
  };
  editPieces(message, claim, true);
  dealOut(claims, Math.floor(wantedCharacters * share), readableCharacters);
  let at = 0;
  const cut: EditPiece = (kind, text) => {
    if (ranks.includes(kind)) return cutText(text, markerCharacters + (claims[at++]?.given ?? 0));
    const isGone = kind === "resultPicture" || (kind === "picture" && !keepsPictures);
    return isGone ? `[${text} left out]` : text;
  };
  return editPieces(message, cut, true);
}

import { cutText, markerCharacters } from "./cut-text.ts";
import { type Claim, dealOut } from "./deal-out.ts";
import type { CountTokens } from "./message-shape.ts";
import type { EditPieces } from "./pieces.ts";

/** Texts of a later rank give way first. What is none of these is not cut. */
const ranks = ["argument", "text", "resultText"];

/**
 * The message in at most `maxTokens` if its texts allow it, else in its shortest form. Given up in this order: pictures
 * of results, texts of results, other text, strings in arguments, the rest of the oldest results, other pictures.
 * Counts the message and at most five drafts; counts nothing when `maxTokens` is 0.
 */
export function shortenTexts<Base, M extends Base>(
  message: M,
  maxTokens: number,
  countTokens: CountTokens<M>,
  editPieces: EditPieces<Base>,
): M {
  /** Every text gets this much, if it can be had, before one of another kind gets more. */
  const readableCharacters = 240;
  let keepsPictures = maxTokens > 0;
  /** The message with this share of what can be cut from its texts. */
  const draftOf = (share: number): M => {
    const claims: Claim[] = [];
    let characters = 0;
    let at = 0;
    editPieces(
      message,
      (kind, text) => {
        const wanted = Math.max(0, text.length - markerCharacters);
        characters += wanted;
        claims.push({ rank: ranks.indexOf(kind), wanted, given: 0 });
        return text;
      },
      true,
    );
    dealOut(claims, Math.floor(characters * share), readableCharacters);
    return editPieces(
      message,
      (kind, text) => {
        const { rank, given } = claims[at++] as Claim;
        if (rank >= 0) return cutText(text, given);
        return kind === "resultPicture" || (kind === "picture" && !keepsPictures) ? `[${text} left out]` : text;
      },
      true,
    );
  };
  let best = draftOf(0);
  if (!keepsPictures) return best;
  let low = 0;
  let high = 1;
  let highTokens = countTokens(message);
  if (highTokens <= maxTokens) return message;
  let lowTokens = countTokens(best);
  if (lowTokens > maxTokens) {
    keepsPictures = false;
    best = draftOf(0);
    lowTokens = countTokens(best);
  }
  // How much of the texts may stay is guessed from a share that fits and one that does not. Texts that are denser at
  // their ends than in the middle make a straight guess too high: after a miss the aim is lower. The last guess is only
  // made where none before fitted.
  let aim = 0.99;
  for (let guesses = keepsPictures ? 4 : 3; guesses-- && lowTokens < maxTokens * 0.95 && (guesses || !low); ) {
    const share = low + (aim * (maxTokens - lowTokens) * (high - low)) / (highTokens - lowTokens);
    const draft = draftOf(share);
    const tokens = countTokens(draft);
    if (tokens > maxTokens) {
      high = share;
      highTokens = tokens;
      aim = guesses > 1 ? 0.7 : 0.2;
    } else {
      aim = 0.97;
      best = draft;
      low = share;
      lowTokens = tokens;
    }
  }
  return best;
}

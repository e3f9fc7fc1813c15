import type { Message } from "./message.ts";
import { cutText, markerCharacters } from "./shape-cut-text.ts";
import { type Claim, dealOut } from "./shape-deal-out.ts";
import { editTexts } from "./shape-texts.ts";

/** Every text gets this much, if it can be had, before one of another place gets more. */
const readableCharacters = 240;

/** Texts of a later rank give way first. */
const ranks = ["argument", "text", "result"];

/**
 * The message in at most `maxTokens` if its texts allow it, else in its shortest form. Given up in this order: pictures
 * of results, result texts, other text, strings in arguments, the rest of the oldest results, other pictures.
 * Counts the message and at most five drafts; counts nothing when `maxTokens` is 0.
 */
export function shorten(message: Message, maxTokens: number, countTokens: (message: Message) => number): Message {
  let keepsPictures = maxTokens > 0;
  const draftOf = (share: number) => cutTexts(message, share, keepsPictures);
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
  // their ends than in the middle make a straight guess too high: after a miss the aim is lower. The last guess is only
  // made where none before fitted.
  let aim = 0.99;
  for (let guesses = keepsPictures ? 4 : 3; guesses-- && lowTokens < maxTokens * 0.95 && (guesses || !low); ) {
    const share = low + (aim * (maxTokens - lowTokens) * (high - low)) / (highTokens - lowTokens);
    const draft = draftOf(share);
    const tokens = countTokens(draft);
    if (tokens > maxTokens) {
      [high, highTokens] = [share, tokens];
      aim = guesses > 1 ? 0.7 : 0.2;
    } else {
      aim = 0.97;
      [best, low, lowTokens] = [draft, share, tokens];
    }
  }
  return best;
}

/** The message with this share of what can be cut from its texts, and all the rest but pictures. */
function cutTexts(message: Message, share: number, keepsPictures: boolean): Message {
  const claims: Claim[] = [];
  let wantedCharacters = 0;
  editTexts(message, (place, text) => {
    const wanted = Math.max(0, text.length - markerCharacters);
    claims.push({ rank: ranks.indexOf(place), wanted, given: 0 });
    wantedCharacters += wanted;
    return text;
  });
  dealOut(claims, Math.floor(wantedCharacters * share), readableCharacters);
  return editTexts(message, (place, text) => {
    const given = claims.shift()?.given ?? 0;
    if (place === "resultPicture" || (place === "picture" && !keepsPictures)) return "[image left out]";
    return cutText(text, given);
  });
}

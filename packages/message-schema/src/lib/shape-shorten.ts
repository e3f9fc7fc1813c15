import type { Message } from "./message.ts";
import { cutText, markerCharacters } from "./shape-cut-text.ts";
import { editTexts, type TextPlace } from "./shape-texts.ts";

/** Every text gets this much, if it can be had, before one of another place gets more. */
const readableCharacters = 240;

/**
 * The message in at most `maxTokens` if its texts allow it, else in its shortest form. Given up in this order: pictures
 * of results, result texts, other text, strings in arguments, the rest of the oldest results, other pictures.
 * Counts at most eight times, not at all when `maxTokens` is 0.
 */
export function shorten(message: Message, maxTokens: number, countTokens: (message: Message) => number): Message {
  const draftOf = (share: number, keepsPictures: boolean) => cutTexts(message, share, keepsPictures);
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
  for (let attempt = 0; attempt < 5 && fits.tokens < maxTokens * 0.95; attempt++) {
    const share =
      attempt > 0
        ? fits.share + ((aim - fits.tokens) * (exceeds.share - fits.share)) / (exceeds.tokens - fits.tokens)
        : 1;
    if (!(share > fits.share)) break;
    const draft = draftOf(share, keepsPictures);
    if (draft === message) continue;
    const tokens = countTokens(draft);
    if (tokens > maxTokens) {
      exceeds = { share, tokens };
      aim = fits.tokens + (aim - fits.tokens) * 0.75;
    } else {
      best = draft;
      fits = { share, tokens };
      aim = maxTokens;
    }
  }
  return best;
}

/** The message with this share of what can be cut from its texts, and all the rest but pictures. */
function cutTexts(message: Message, share: number, keepsPictures: boolean): Message {
  const texts: { place: TextPlace; wanted: number; given: number }[] = [];
  let left = 0;
  editTexts(message, (place, text) => {
    const wanted = Math.max(0, text.length - markerCharacters);
    texts.push({ place, wanted, given: 0 });
    left += wanted * share;
    return text;
  });
  for (const most of [readableCharacters, Infinity]) {
    for (const place of ["argument", "text", "result"]) {
      let chosen = texts.filter((text) => text.place === place);
      // Where not all can be read, the oldest keep only their marker.
      if (most < Infinity) chosen = chosen.slice(-Math.max(1, left / most));
      chosen
        .sort((a, b) => a.wanted - b.wanted)
        .forEach((text, at) => {
          const given = Math.min(Math.min(text.wanted, most) - text.given, Math.floor(left / (chosen.length - at)));
          text.given += given;
          left -= given;
        });
    }
  }
  return editTexts(message, (place, text) => {
    const given = texts.shift()?.given ?? 0;
    if (place === "resultPicture" || (place === "picture" && !keepsPictures)) return "[image left out]";
    return cutText(text, markerCharacters + given);
  });
}

import type { Message } from "./message.ts";
import { cutText, shortestCut } from "./shape-cut-text.ts";
import { fairShares } from "./shape-fair-shares.ts";
import { editTexts, type TextPlace } from "./shape-texts.ts";

/** Of a text in sight at least this much is wanted before another kind of text gets more. */
const readableCharacters = 240;
/** Counts spent on closing in on `maxTokens` once the shortest form is known to fit. */
const attempts = 3;

/**
 * The message in at most `maxTokens` if its texts allow it, else in its shortest form. Given up in this order: pictures
 * of results, result texts, other text, strings in arguments, the rest of the oldest results, other pictures.
 * Counts at most eight times, not at all when `maxTokens` is 0.
 */
export function shorten(message: Message, maxTokens: number, countTokens: (message: Message) => number): Message {
  const withoutPictures = (from: Message, gone: TextPlace) =>
    editTexts(from, (place, text) => (place === gone ? "[image left out]" : text));
  if (maxTokens <= 0) {
    return cutTexts(withoutPictures(withoutPictures(message, "resultPicture"), "picture"), 0);
  }
  let tokens = countTokens(message);
  if (tokens <= maxTokens) return message;
  let whole = withoutPictures(message, "resultPicture");
  if (whole !== message) tokens = countTokens(whole);
  if (tokens <= maxTokens) return whole;

  let best = cutTexts(whole, 0);
  let bestTokens = countTokens(best);
  if (bestTokens > maxTokens) {
    whole = withoutPictures(whole, "picture");
    best = cutTexts(whole, 0);
    bestTokens = countTokens(best);
  }
  let fits = { characters: 0, tokens: bestTokens };
  let exceeds = { characters: spareCharacters(whole), tokens };
  for (let attempt = 0; attempt < attempts && bestTokens < maxTokens * 0.97; attempt++) {
    const slope = (exceeds.characters - fits.characters) / (exceeds.tokens - fits.tokens);
    const characters = Math.floor(fits.characters + (maxTokens - fits.tokens) * slope);
    if (!(characters > fits.characters && characters < exceeds.characters)) break;
    const draft = cutTexts(whole, characters);
    const draftTokens = countTokens(draft);
    if (draftTokens <= maxTokens) {
      best = draft;
      bestTokens = draftTokens;
      fits = { characters, tokens: draftTokens };
    } else {
      exceeds = { characters, tokens: draftTokens };
    }
  }
  return best;
}

/** Characters that the texts hold above their shortest forms. */
function spareCharacters(message: Message): number {
  let spare = 0;
  editTexts(message, (_, text) => {
    spare += text.length - shortestCut(text.length);
    return text;
  });
  return spare;
}

/** The message with `spare` characters shared out over the shortest forms of its texts. */
function cutTexts(message: Message, spare: number): Message {
  const texts: { place: TextPlace; wanted: number; given: number }[] = [];
  editTexts(message, (place, text) => {
    texts.push({ place, wanted: text.length - shortestCut(text.length), given: 0 });
    return text;
  });
  let left = spare;
  const give = (chosen: typeof texts, most: number) => {
    const wants = chosen.map((text) => Math.min(text.wanted, most) - text.given);
    fairShares(left, wants).forEach((share, index) => {
      const text = chosen[index];
      if (text) text.given += share;
      left -= share;
    });
  };
  const of = (place: TextPlace) => texts.filter((text) => text.place === place);
  give(of("text"), readableCharacters);
  give(of("argument"), readableCharacters);
  for (const newest of of("result").reverse()) give([newest], readableCharacters);
  for (const place of ["argument", "text", "result"] as const) give(of(place), Infinity);

  let next = 0;
  return editTexts(message, (_, text) => {
    const share = texts[next++]?.given ?? 0;
    return cutText(text, shortestCut(text.length) + share);
  });
}

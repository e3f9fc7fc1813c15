import { sectionBody } from "./summary-section.ts";

export interface ShortenSummaryOptions {
  /** Whether a text is short enough. A part of a text that fits fits too. */
  readonly fits: (summary: string) => boolean;
}

/** A long story can be told shorter; what is to be done cannot. */
const SECTIONS_THAT_GIVE_WAY = ["progress", "key decisions"];

/**
 * The summary itself when it fits; else with the middle of its Progress section left out, then of its Key decisions,
 * then of the whole. Each cut leaves a line that says how many characters are gone.
 */
export function shortenSummary(summary: string, { fits }: ShortenSummaryOptions): string {
  if (fits(summary)) return summary;
  let text = summary;
  for (const name of SECTIONS_THAT_GIVE_WAY) {
    const body = sectionBody(text, name);
    if (body === undefined) continue;
    const [before, after] = [text.slice(0, body.start), text.slice(body.end)];
    text = longestThatFits(text.slice(body.start, body.end), (shorter) => `${before}${shorter}${after}`, fits);
    if (fits(text)) return text;
  }
  // From the whole again, so that one marker tells of everything that is gone.
  return longestThatFits(summary, (shorter) => shorter, fits);
}

/**
 * Binary search for the most of `part` that fits, to a 128th of it, since every step counts the whole text; only the
 * marker when nothing does.
 */
function longestThatFits(part: string, place: (shorter: string) => string, fits: (text: string) => boolean): string {
  let longest = place(withoutMiddle(part, 0));
  if (!fits(longest)) return longest;
  let kept = 0;
  let tooMany = part.length;
  while (tooMany - kept > part.length / 128) {
    const middle = (kept + tooMany) >> 1;
    if (middle === kept) break;
    const candidate = place(withoutMiddle(part, middle));
    if (fits(candidate)) {
      kept = middle;
      longest = candidate;
    } else {
      tooMany = middle;
    }
  }
  return longest;
}

function withoutMiddle(text: string, keptCharacters: number): string {
  const head = cutBetweenCharacters(text, Math.ceil(keptCharacters / 2));
  const tail = cutBetweenCharacters(text, text.length - Math.floor(keptCharacters / 2));
  const marker = `[… ${tail - head} characters of this summary left out …]`;
  return [text.slice(0, head).trimEnd(), marker, text.slice(tail).trimStart()]
    .filter((piece) => piece !== "")
    .join("\n");
}

/** The position itself, or the one after it when it would split a surrogate pair. */
function cutBetweenCharacters(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position + 1 : position;
}

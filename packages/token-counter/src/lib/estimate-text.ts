import { contractionEnd } from "./contraction-end.ts";
import { TOKENS_PER_RANDOM_UNIT, unbrokenRun } from "./random-run.ts";
import { scriptCost } from "./script-costs.ts";
import { isControl, signTokens } from "./sign-tokens.ts";
import { CAPITAL, DIGIT, NEWLINE, SCRIPT, SIGN, SMALL, SPACE, unitKind } from "./unit-kind.ts";
import { furtherBreakTokens, type SpaceFollower, spaceTokens } from "./white-space-tokens.ts";
import { type WordLead, wordLanguage, wordTokens } from "./word-tokens.ts";

/** No kind: the end of the text. */
const END = 0;
const DIGITS_PER_TOKEN = 3;
const TOKENS_PER_CONTRACTION = 0.1;
/** In languages that have rare words one of a dozen shows it. */
const RARE_WORDS = 12;
/** Words and clauses without a break are rarely longer in any script: past this, what a scrambled text takes. */
const LONG_RUN = 64;
const TOKENS_PER_UNIT_OF_LONG_RUN = 1;

/**
 * About how many tokens of a vocabulary of 200,000 a text is. It walks pieces like those of the encoders (words with
 * the space or sign before them, digits in threes, signs, white space) and charges what such a piece takes on average. A
 * run of anything costs by its length, rather too much than too little.
 */
export function estimateText(text: string): number {
  let tokens = 0;
  let lead: WordLead = "none";
  let unbrokenEnd = 0;
  /** Words still taken for words of the language of the last rare one. */
  let rareWords = 0;
  let at = 0;

  while (at < text.length) {
    const start = at;
    const kind = kindAt(text, start);

    if (start >= unbrokenEnd && (kind === SMALL || kind === CAPITAL || kind === DIGIT)) {
      const run = unbrokenRun(text, start);
      unbrokenEnd = run.end;
      if (run.isRandom) {
        tokens += (run.end - start) * TOKENS_PER_RANDOM_UNIT;
        at = run.end;
        lead = "none";
        continue;
      }
    }

    let nextLead: WordLead = "none";
    switch (kind) {
      case CAPITAL:
      case SMALL: {
        // Capitals, then small letters: `HttpServer` is two words.
        const capitalsEnd = runEnd(text, start, CAPITAL);
        const end = runEnd(text, capitalsEnd, SMALL);
        let language = wordLanguage(text, capitalsEnd, end);
        rareWords = language === "rare" ? RARE_WORDS : rareWords - 1;
        if (language === "plain" && rareWords > 0) language = "rare";
        tokens += wordTokens({ capitals: capitalsEnd - start, small: end - capitalsEnd, language, lead });
        at = contractionEnd(text, end);
        if (at > end) tokens += TOKENS_PER_CONTRACTION;
        break;
      }
      case SPACE:
        at = runEnd(text, start, SPACE);
        tokens += spaceTokens(text, start, at, spaceFollower(kindAt(text, at)));
        nextLead = "space";
        break;
      case NEWLINE:
        at = runEnd(text, start, NEWLINE);
        tokens += 1 + furtherBreakTokens(text, start, at);
        break;
      case DIGIT:
        at = runEnd(text, start, DIGIT);
        tokens += Math.ceil((at - start) / DIGITS_PER_TOKEN);
        break;
      case SIGN: {
        at = runEnd(text, start, SIGN);
        const next = kindAt(text, at);
        const isWord = next === CAPITAL || next === SMALL;
        if (at - start === 1 && lead === "none" && isWord && !isControl(text.charCodeAt(start))) {
          nextLead = "sign";
          break;
        }
        tokens += signTokens(text, start, at);
        // Line breaks go with the signs before them.
        const signsEnd = at;
        at = runEnd(text, signsEnd, NEWLINE);
        tokens += furtherBreakTokens(text, signsEnd, at);
        break;
      }
      default: {
        const { perRun, perUnit, last } = scriptCost(text.charCodeAt(start));
        do at += 1;
        while (kindAt(text, at) === SCRIPT && scriptCost(text.charCodeAt(at)).last === last);
        const usual = Math.min(at - start, LONG_RUN);
        tokens += perRun + perUnit * usual + Math.max(perUnit, TOKENS_PER_UNIT_OF_LONG_RUN) * (at - start - usual);
      }
    }
    lead = nextLead;
  }
  return Math.ceil(tokens);
}

function kindAt(text: string, at: number): number {
  return at < text.length ? unitKind(text.charCodeAt(at)) : END;
}

function runEnd(text: string, from: number, kind: number): number {
  let end = from;
  while (end < text.length && unitKind(text.charCodeAt(end)) === kind) end += 1;
  return end;
}

function spaceFollower(next: number): SpaceFollower {
  if (next === NEWLINE) return "break";
  return next === DIGIT || next === END ? "other" : "word";
}

/** Signs of one piece that are one token as a rule. */
const PLAIN_SIGNS = 3;
const TOKENS_PER_FURTHER_SIGN = 0.24;
/** Of a line of equal signs. */
const TOKENS_PER_REPEATED_SIGN = 1 / 16;
/** Signs in code and markup rarely come in longer runs: past this, what scrambled signs take. */
const LONG_RUN = 16;
const TOKENS_PER_SIGN_OF_LONG_RUN = 0.7;
const TOKENS_PER_REPEATED_SIGN_OF_LONG_RUN = 0.5;
/** What lines are drawn of: the vocabularies hold long runs of these. */
const ruleSigns = "!#%*+-./:;=_~";

/** A control character of ASCII that is no white space to the estimator. */
export function isControl(unit: number): boolean {
  return unit < 0x20 || unit === 0x7f;
}

/** What a run of signs of ASCII takes on average. A control character is a token of its own. */
export function signTokens(text: string, start: number, end: number): number {
  const usualEnd = Math.min(end, start + LONG_RUN);
  let controls = 0;
  let repeated = 0;
  for (let at = start + 1; at < usualEnd; at++) {
    if (isControl(text.charCodeAt(at))) controls += 1;
    else if (text.charCodeAt(at) === text.charCodeAt(at - 1)) repeated += 1;
  }
  const further = Math.max(0, usualEnd - start - controls - repeated - PLAIN_SIGNS);
  let tokens = 1 + controls + further * TOKENS_PER_FURTHER_SIGN + repeated * TOKENS_PER_REPEATED_SIGN;
  for (let at = usualEnd; at < end; at++) tokens += longRunTokens(text, at);
  return tokens;
}

function longRunTokens(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (isControl(unit)) return 1;
  if (unit !== text.charCodeAt(at - 1)) return TOKENS_PER_SIGN_OF_LONG_RUN;
  return ruleSigns.includes(text.charAt(at)) ? TOKENS_PER_REPEATED_SIGN : TOKENS_PER_REPEATED_SIGN_OF_LONG_RUN;
}

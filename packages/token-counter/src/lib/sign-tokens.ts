/** Signs of one piece that are one token as a rule. */
const PLAIN_SIGNS = 3;
const TOKENS_PER_FURTHER_SIGN = 0.24;
/** Of a line of equal signs. */
const TOKENS_PER_REPEATED_SIGN = 1 / 16;

/** What a run of signs of ASCII takes on average. */
export function signTokens(text: string, start: number, end: number): number {
  let repeated = 0;
  for (let at = start + 1; at < end; at++) if (text.charCodeAt(at) === text.charCodeAt(at - 1)) repeated += 1;
  const further = Math.max(0, end - start - repeated - PLAIN_SIGNS);
  return 1 + further * TOKENS_PER_FURTHER_SIGN + repeated * TOKENS_PER_REPEATED_SIGN;
}

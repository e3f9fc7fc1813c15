const words = [
  "the parser reads every line of this file and keeps what it can use when a later test needs one more value from it",
  "we should move that check into the build step because two of our users saw the old error after an update last week",
  "no change in the public type was made here so all callers can stay as they are until the next major release",
].flatMap((line) => line.split(" "));

/** English of about `tokens` tokens in the usual encodings (a word is a token), the same for the same seed. */
export function fillerText(tokens: number, seed: number): string {
  let state = (seed * 2654435761 + 1) >>> 0;
  return Array.from({ length: tokens }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return words[(state >>> 8) % words.length];
  }).join(" ");
}

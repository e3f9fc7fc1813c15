/** Shortens a text to `maxTokens`: its head and its tail stay, with a marker between that says how much is gone. */
export function shortenText(
  text: string,
  { counter, maxTokens }: { readonly counter: { countText(text: string): number }; readonly maxTokens: number },
): string {
  if (counter.countText(text) <= maxTokens) return text;
  // The most that fits, found by halving: a longer text costs more.
  let fits = "";
  for (let low = 0, high = text.length; low <= high; ) {
    const middle = (low + high) >> 1;
    const shortened = headAndTail(text, middle);
    if (counter.countText(shortened) <= maxTokens) {
      fits = shortened;
      low = middle + 1;
    } else high = middle - 1;
  }
  return fits;
}

function headAndTail(text: string, characters: number): string {
  const head = text.slice(0, Math.ceil(characters / 2)).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(text.length - Math.floor(characters / 2)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

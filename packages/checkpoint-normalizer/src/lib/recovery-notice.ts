/** Opens the text that tells the model that older messages are not in its context. Never changes: it stands in records. */
export const RECOVERY_NOTICE_START = "<recovery_notice>";
/** Closes it. */
export const RECOVERY_NOTICE_END = "</recovery_notice>";

const anyMark = /<(\/?)recovery_notice>/g;
const anyMarkInAnyCase = /<(\/?)recovery_notice>/gi;
/** A blank line, which no notice has inside it, or a heading in one of the forms that models and other tools write. */
const endOfUnclosed = /\n[^\S\n]*\n|^ {0,3}(?:#{1,6}[^#\n]|\*\*[^*\n]+\*\*:?\s*$|__[^_\n]+__:?\s*$)/m;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The summary without recovery notices, wherever they stand and however many there are; `""` when nothing else is
 * there. Each end mark belongs to the nearest start mark before it, so nested notices go whole. A notice that was
 * never closed goes up to the next mark, blank line or heading, where a summary begins again, else to the end of the
 * text. An end mark alone is the only thing removed. Doing it twice changes nothing more.
 */
export function stripRecoveryNotice(summary: string): string {
  const spans = noticeSpans(summary);
  if (spans.length === 0) return summary.trim();
  const kept: string[] = [];
  let position = 0;
  for (const span of spans) {
    if (span.start > position) kept.push(summary.slice(position, span.start));
    position = Math.max(position, span.end);
  }
  kept.push(summary.slice(position));
  // A blank line between what stood on both sides: it also keeps two halves from joining into a new mark.
  return kept
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "")
    .join("\n\n");
}

/** The text with the notice's marks made harmless: a model's answer must not open or close a notice. */
export function neutralizeNoticeMarks(text: string): string {
  return text.replace(anyMarkInAnyCase, (_mark, slash: string) => `[${slash}recovery_notice]`);
}

/** The notices of a text in order of their start; spans may lie inside one another. */
function noticeSpans(text: string): Span[] {
  const spans: Span[] = [];
  const open: { start: number; nextMark: number }[] = [];
  const unclosed = (mark: { start: number; nextMark: number }): Span => {
    const stretch = text.slice(mark.start + RECOVERY_NOTICE_START.length, mark.nextMark);
    const words = stretch.trimStart();
    const end = words.search(endOfUnclosed);
    return { start: mark.start, end: end < 0 ? mark.nextMark : mark.nextMark - words.length + end };
  };
  let newest: { start: number; nextMark: number } | undefined;
  for (const match of text.matchAll(anyMark)) {
    if (newest !== undefined) newest.nextMark = match.index;
    newest = undefined;
    const end = match.index + match[0].length;
    if (match[1] === "") {
      newest = { start: match.index, nextMark: text.length };
      open.push(newest);
    } else {
      spans.push({ start: open.pop()?.start ?? match.index, end });
    }
  }
  spans.push(...open.map(unclosed));
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

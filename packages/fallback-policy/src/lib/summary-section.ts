interface Heading {
  /** Lower case, without marks. */
  readonly name: string;
  /** 1 to 6; a line in bold stands below all of them. */
  readonly level: number;
  /** Written as Markdown wants it, so that it is a heading whatever its name. */
  readonly isPlain: boolean;
  readonly start: number;
  readonly end: number;
}

/** The sections a summary is asked to have. Each ends the one before, however deep its heading stands. */
const sections: readonly string[] = [
  "goal",
  "constraints and preferences",
  "progress",
  "key decisions",
  "next steps",
  "critical context",
  "files",
];
/** Common headings inside Progress: they end no section, also when a model writes them as high as the section's own. */
const subsections: readonly string[] = ["done", "in progress", "blocked"];

const BOLD_LEVEL = 7;
const headingLine = /^[ \t]{0,3}(?:(#{1,6})([ \t]*)|\*\*|__)(.+)$/gm;
const closedBold = /^[^*]+(?:\*\*|__):?\s*$/;

/**
 * What stands under the heading of a section, up to the heading of the next; `undefined` when that is nothing. A heading
 * is known in every form in which a summary may have it: at any level, without the space, indented a little, in bold.
 */
export function sectionBody(text: string, name: string): { readonly start: number; readonly end: number } | undefined {
  const headings = headingsOf(text);
  for (let index = 0; index < headings.length; index++) {
    const heading = headings[index];
    if (heading?.name !== name) continue;
    let next = index + 1;
    while (!endsSection(headings[next], heading)) next += 1;
    const start = Math.min(text.length, heading.end + 1);
    const body = text.slice(start, headings[next]?.start).trimEnd();
    if (body !== "") return { start, end: start + body.length };
  }
  return undefined;
}

function endsSection(later: Heading | undefined, heading: Heading): boolean {
  if (later === undefined) return true;
  if (sections.includes(later.name)) return true;
  return later.isPlain && later.level <= heading.level && !subsections.includes(later.name);
}

function headingsOf(text: string): Heading[] {
  return [...text.matchAll(headingLine)].map(({ 0: line, 1: marks, 2: space = "", 3: words = "", index }) => ({
    name: nameOf(words),
    level: marks === undefined ? BOLD_LEVEL : marks.length,
    isPlain: marks === undefined ? closedBold.test(words) : space !== "",
    start: index,
    end: index + line.length,
  }));
}

function nameOf(words: string): string {
  return words
    .replace(/[#*_:]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

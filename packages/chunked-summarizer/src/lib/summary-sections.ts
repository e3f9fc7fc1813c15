/** The sections the prompt asks for, lower case. */
const sections = ["goal", "constraints and preferences", "progress", "key decisions", "next steps", "critical context"];
const required = ["goal", "progress", "next steps"];

interface Heading {
  /** Lower case, without numbers, signs and pictures. */
  readonly name: string;
  /** What stands on the heading's own line behind a colon. */
  readonly rest: string;
}

/**
 * Whether a text has the sections Goal, Progress and Next steps and says something in them: in Goal and in one more.
 * Headings are Markdown ones of any level, underlined ones or lines in bold, with or without a number, a list mark, a
 * picture, or a colon and the text behind it. Lines end with `\n`.
 */
export function hasRequiredSections(text: string): boolean {
  const bodies = new Map<string, string>();
  const lines = text.split("\n");
  let current = "";
  for (const [index, line] of lines.entries()) {
    const heading = headingOf(line, lines[index + 1] ?? "");
    if (heading !== undefined && sections.includes(heading.name)) {
      current = heading.name;
      bodies.set(current, `${bodies.get(current) ?? ""}${heading.rest}`);
    } else if (/[\p{L}\p{N}]/u.test(line)) bodies.set(current, `${bodies.get(current) ?? ""}${line}`);
  }
  const filled = required.filter((section) => /[\p{L}\p{N}]/u.test(bodies.get(section) ?? ""));
  return required.every((section) => bodies.has(section)) && filled.includes("goal") && filled.length > 1;
}

function headingOf(line: string, nextLine: string): Heading | undefined {
  if (line.length > MAX_HEADING_LINE) return undefined;
  const unlisted = line.trim().replace(/^(?:[-*+]|\d+[.)])\s+/, "");
  const hashed = /^#{1,6}\s*(\S.*)$/.exec(unlisted)?.[1];
  const bold = /^(?:\*\*|__)\S/.test(unlisted) ? unlisted : undefined;
  const underlined = /^\s{0,3}(?:=+|-+)\s*$/.test(nextLine) ? unlisted : undefined;
  const words = hashed ?? bold ?? underlined;
  if (words === undefined) return undefined;
  const [head = "", ...rest] = words.split(/[:：]/);
  return { name: nameOf(head), rest: rest.join(":") };
}

/** A heading with its text behind a colon may be a paragraph; the name stands in its beginning. */
const MAX_HEADING_LINE = 20_000;

function nameOf(heading: string): string {
  return heading
    .replaceAll(/[#*_`]/g, "")
    .replace(/^[^\p{L}]+/u, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

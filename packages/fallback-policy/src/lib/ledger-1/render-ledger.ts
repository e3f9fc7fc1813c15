import { neutralizeNoticeMarks } from "@holdfast/checkpoint-normalizer";
import type { Ledger } from "./ledger.ts";
import { type LedgerSection, type LedgerView, ledgerHeader, ledgerSections } from "./ledger-lines.ts";

export interface RenderLedgerOptions extends LedgerView {
  readonly maxTokens: number;
  /** Tokens of a text where the ledger will stand. */
  readonly countText: (text: string) => number;
}

/** No line is shorter, so no more lines than this can fit and none need to be tried. */
const LEAST_TOKENS_OF_A_LINE = 4;

/**
 * The ledger as text: as many lines as the tokens allow, taken from the sections in turn, each section's most
 * important line first. Blank when not even the header fits, or when nothing was counted.
 */
export function renderLedger(ledger: Ledger, options: RenderLedgerOptions): string {
  const { maxTokens, countText } = options;
  const sections = ledgerSections(ledger, options);
  const header = ledgerHeader(ledger, options);
  if (header === "") return "";
  const render = (lineCount: number) => neutralizeNoticeMarks(textOf(header, sections, lineCount));
  if (countText(render(0)) > maxTokens) return "";

  const allLines = sections.reduce((sum, section) => sum + section.lines.length, 0);
  let fitting = 0;
  let tooMany = Math.min(allLines, Math.floor(maxTokens / LEAST_TOKENS_OF_A_LINE)) + 1;
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (countText(render(middle)) <= maxTokens) fitting = middle;
    else tooMany = middle;
  }
  return render(fitting);
}

function textOf(header: string, sections: readonly LedgerSection[], lineCount: number): string {
  const shares = inTurn(
    sections.map((section) => section.lines.length),
    lineCount,
  );
  const blocks = sections.map((section, index) => sectionText(section, shares[index] ?? 0));
  return [header, ...blocks.filter((block) => block !== "")].join("\n");
}

function sectionText({ heading, lines, newestLast, dropped }: LedgerSection, shown: number): string {
  if (shown === 0) return "";
  const chosen = lines.slice(0, shown);
  const hidden = lines.length - shown + dropped;
  const more = hidden > 0 ? [`- and ${hidden} more`] : [];
  return [heading, ...(newestLast ? [...more, ...chosen.toReversed()] : [...chosen, ...more])].join("\n");
}

/** How many of `total` each gets when they take one in turn, none more than it has. */
function inTurn(sizes: readonly number[], total: number): number[] {
  const shares = sizes.map(() => 0);
  let left = total;
  for (let turn = 1; left > 0 && sizes.some((size) => size >= turn); turn++) {
    sizes.forEach((size, index) => {
      if (size < turn || left === 0) return;
      shares[index] = turn;
      left--;
    });
  }
  return shares;
}

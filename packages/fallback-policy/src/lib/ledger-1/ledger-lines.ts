import { excerptOfEnds } from "./excerpt.ts";
import type { Ledger, LedgerCommand, LedgerError, LedgerFile, LedgerRequest } from "./ledger.ts";
import { rankEntries } from "./rank-entries.ts";

const PATH_CHARACTERS = 200;

export interface LedgerSection {
  readonly heading: string;
  /** What matters most first. */
  readonly lines: readonly string[];
  /** The lines are shown in the opposite order: what matters most is the newest, and they tell a story. */
  readonly newestLast: boolean;
  /** Entries that are counted and have no line. */
  readonly dropped: number;
}

/** What the text can say, most important line of every section first. A section without a line is left out. */
export function ledgerSections(ledger: Ledger): LedgerSection[] {
  const { requests, files, commands, errors, plan } = ledger;
  const sections: LedgerSection[] = [
    {
      heading: "Requests, oldest first:",
      lines: requests.entries.map(requestLine).toReversed(),
      newestLast: true,
      dropped: requests.dropped,
    },
    { heading: "Last stated plan:", lines: plan.map((item) => `- ${item}`), newestLast: false, dropped: 0 },
    {
      heading: "Errors, newest and most repeated first:",
      lines: rankEntries(errors.entries, (error) => error.times).map(errorLine),
      newestLast: false,
      dropped: errors.dropped,
    },
    {
      heading: "Files, newest and most used first:",
      lines: rankEntries(files.entries, (file) => file.reads + file.modifications).map(fileLine),
      newestLast: false,
      dropped: files.dropped,
    },
    {
      heading: "Commands, newest and most repeated first:",
      lines: rankEntries(commands.entries, (command) => command.runs).map(commandLine),
      newestLast: false,
      dropped: commands.dropped,
    },
  ];
  return sections.filter((section) => section.lines.length > 0);
}

/** What the ledger was made of, and what it is not. */
export function ledgerHeader({ messages }: Ledger): string {
  const { user, assistant, tool, system } = messages;
  const roles = [`${user} of the user`, `${assistant} of the assistant`, `${tool} tool results`];
  if (system > 0) roles.push(`${system} of the system`);
  const total = user + assistant + tool + system;
  return `Made without a model from the ${total} messages that are left out and in no summary (${roles.join(", ")}). Nothing else of them is in view.`;
}

function requestLine({ text, outcome, answer }: LedgerRequest): string {
  switch (outcome) {
    case "answered":
      return `- "${text}" → answered: "${answer}"`;
    case "stopped":
      return `- "${text}" → stopped before an answer`;
    case "failed":
      return `- "${text}" → failed before an answer`;
    case "open":
      return `- "${text}" → no answer among these messages`;
    default:
      return outcome satisfies never;
  }
}

function fileLine({ path, reads, modifications, last }: LedgerFile): string {
  const uses = [
    ...(modifications > 0 ? [`modified ${times(modifications)}`] : []),
    ...(reads > 0 ? [`read ${times(reads)}`] : []),
  ];
  const both = uses.length > 1 ? `, last ${last === "read" ? "read" : "modified"}` : "";
  return `- ${excerptOfEnds(path, PATH_CHARACTERS)}: ${uses.join(", ")}${both}`;
}

function commandLine({ command, runs, failures, lastExit, lastFailed }: LedgerCommand): string {
  const end = lastExit === null ? (lastFailed ? "an error" : "no error") : `exit ${lastExit}`;
  if (runs === 1) return `- \`${command}\`: run once, ${end}`;
  return `- \`${command}\`: run ${times(runs)}, failed ${failures === 0 ? "never" : times(failures)}, last ${end}`;
}

function errorLine({ text, tool, times: seen }: LedgerError): string {
  return `- "${text}" (${tool}): ${seen === 1 ? "once" : `recurred, ${seen} times`}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

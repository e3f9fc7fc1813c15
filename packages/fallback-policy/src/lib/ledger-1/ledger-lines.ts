import type { Ledger, LedgerCommand, LedgerError, LedgerFile, LedgerRequest } from "./ledger.ts";
import { rankEntries } from "./rank-entries.ts";

export interface LedgerView {
  /** The newest request that was counted is kept as the anchor: it is in view. */
  readonly anchorIsCounted: boolean;
}

export interface LedgerSection {
  readonly heading: string;
  /** What matters most first. */
  readonly lines: readonly string[];
  /** The lines are shown in the opposite order: what matters most is the newest, and they tell a story. */
  readonly newestLast: boolean;
  /** Entries that are counted and have no line. */
  readonly dropped: number;
}

/**
 * What the text can say, most important line of every section first. A section without a line is left out, and so is a
 * request that is in view.
 */
export function ledgerSections(ledger: Ledger, { anchorIsCounted }: LedgerView): LedgerSection[] {
  const { requests, files, commands, errors, plan } = ledger;
  const outOfView = anchorIsCounted ? requests.entries.slice(0, -1) : requests.entries;
  const sections: LedgerSection[] = [
    {
      heading: "Requests, oldest first:",
      lines: outOfView.map(requestLine).toReversed(),
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

/** What the ledger was made of, and what it is not; blank when that is nothing. */
export function ledgerHeader({ messages }: Ledger, { anchorIsCounted }: LedgerView): string {
  const { injected, assistant, tool, system } = messages;
  const user = messages.user - (anchorIsCounted ? 1 : 0);
  const total = user + injected + assistant + tool + system;
  if (total <= 0) return "";
  const roles = [`${user} of the user`, `${assistant} of the assistant`, `${tool} tool results`];
  if (injected > 0) roles.push(`${injected} injected`);
  if (system > 0) roles.push(`${system} of the system`);
  return `Made without a model from ${total} of the messages that are left out (${roles.join(", ")}). The messages themselves are not in view.`;
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
  if (last === "delete") uses.push(uses.length > 0 ? "then deleted" : "deleted");
  else if (uses.length > 1) uses.push(`last ${last === "read" ? "read" : "modified"}`);
  return `- ${path}: ${uses.join(", ")}`;
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

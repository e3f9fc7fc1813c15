import type { ToolCallPart } from "@holdfast/message-schema";
import type { AnsweredCall } from "../answered-calls.ts";
import { toolKey } from "../file-tools-1.ts";
import { firstGiven } from "../first-given.ts";
import { addToList } from "./add-to-list.ts";
import { excerptOfEnds } from "./excerpt.ts";
import type { LedgerCommand, Listed } from "./ledger.ts";
import { maxCharacters } from "./ledger-bounds.ts";
import { statedExit } from "./stated-exit.ts";

/** Tools that run a command, by the name as `toolKey` writes it. */
const commandTools: readonly string[] = [
  "bash",
  "cmd",
  "exec",
  "execcommand",
  "execute",
  "executebash",
  "executecommand",
  "localshell",
  "powershell",
  "runcommand",
  "runcommands",
  "runshellcommand",
  "runterminalcmd",
  "shell",
  "shellcommand",
  "terminal",
];
const commandArguments: readonly string[] = ["command", "cmd", "commands", "script", "input"];

export interface CommandRun {
  readonly command: string;
  readonly exit: number | null;
  readonly failed: boolean;
}

/** The command a call ran and how it ended; `undefined` when the call ran none. */
export function commandRun({ call, result }: AnsweredCall): CommandRun | undefined {
  if (!commandTools.includes(toolKey(call.name))) return undefined;
  const command = commandOf(call);
  if (command === "") return undefined;
  const exit = statedExit(result);
  return { command, exit, failed: result.isError || (exit !== null && exit !== 0) };
}

/** Commands with how often they ran and failed, and how each ended last. */
export function addCommandRuns(list: Listed<LedgerCommand>, runs: readonly CommandRun[]): Listed<LedgerCommand> {
  return addToList(list, runs, {
    keyOf: (command) => command.command,
    keyOfSeen: (run) => run.command,
    add: (command, run) => ({
      command: run.command,
      runs: (command?.runs ?? 0) + 1,
      failures: (command?.failures ?? 0) + (run.failed ? 1 : 0),
      lastExit: run.exit,
      lastFailed: run.failed,
    }),
  });
}

function commandOf(call: ToolCallPart): string {
  const value = firstGiven(call, commandArguments);
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  const text = words.filter((word) => typeof word === "string").join(" ");
  // What a shell is started with says nothing about the command.
  return excerptOfEnds(text.replace(/^\S*sh -l?c /, ""), maxCharacters.command);
}

import type { ToolCallPart } from "@holdfast/message-schema";
import type { AnsweredCall } from "../answered-calls.ts";
import { toolKey } from "../file-tools-1.ts";
import { addToList } from "./add-to-list.ts";
import { excerptOfEnds } from "./excerpt.ts";
import type { LedgerCommand, Listed } from "./ledger.ts";
import { messageText } from "./message-text.ts";

const EXCERPT_CHARACTERS = 120;

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
  const exit = exitCode(messageText(result));
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
  const name = commandArguments.find((argument) => call.arguments[argument] !== undefined);
  const value: unknown = name === undefined ? undefined : call.arguments[name];
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  const text = words.filter((word) => typeof word === "string").join(" ");
  // What a shell is started with says nothing about the command.
  return excerptOfEnds(text.replace(/^\S*sh -l?c /, ""), EXCERPT_CHARACTERS);
}

const statedExit =
  /(?:exited with(?: exit)?(?: code)?|exit[ _]?code"?\s*[:=]?|exit status|<returncode>|returncode"?\s*[:=])\s*(-?\d{1,6})/gi;
const EDGE_CHARACTERS = 400;

/** The exit code a result states at its beginning or its end, the last one of several. */
function exitCode(text: string): number | null {
  const edges =
    text.length <= 2 * EDGE_CHARACTERS ? text : `${text.slice(0, EDGE_CHARACTERS)}\n${text.slice(-EDGE_CHARACTERS)}`;
  const stated = [...edges.matchAll(statedExit)].at(-1)?.[1];
  return stated === undefined ? null : Number(stated);
}

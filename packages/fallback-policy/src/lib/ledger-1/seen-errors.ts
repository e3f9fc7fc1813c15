import type { AnsweredCall } from "../answered-calls.ts";
import { addToList } from "./add-to-list.ts";
import type { CommandRun } from "./command-runs.ts";
import { excerpt } from "./excerpt.ts";
import type { LedgerError, Listed } from "./ledger.ts";
import { maxCharacters } from "./ledger-bounds.ts";
import { messageText } from "./message-text.ts";

const EDGE_CHARACTERS = 4000;

const onlyAnExit =
  /^\W{0,8}(?:command |process )?(?:exited with(?: code)?|exit code|exit status|aborted)[\s:=-]{0,4}\d{0,6}\W{0,8}$/i;
const startsLikeAnError = /^\W*(?:\w[\w.]*?(?:error|exception)|error|fatal|panic(?:ked)?)\b/i;
const speaksOfAnError = /error|exception|fail|fatal|denied|not found|cannot|no such/i;

export interface SeenError {
  readonly text: string;
  readonly tool: string;
}

/** The line of a failed result that says what went wrong; `undefined` when it did not fail or does not say. */
export function seenError({ call, result }: AnsweredCall, run: CommandRun | undefined): SeenError | undefined {
  if (!result.isError && run?.failed !== true) return undefined;
  const text = messageText(result);
  const edges =
    text.length <= 2 * EDGE_CHARACTERS ? text : `${text.slice(0, EDGE_CHARACTERS)}\n${text.slice(-EDGE_CHARACTERS)}`;
  const lines = edges.split("\n").filter((line) => line.trim() !== "" && !onlyAnExit.test(line));
  const line =
    lines.find((candidate) => startsLikeAnError.test(candidate)) ??
    lines.find((candidate) => speaksOfAnError.test(candidate)) ??
    // A failed command may say nothing of it (a search without a hit); what another tool returns as an error is one.
    (run === undefined ? lines[0] : undefined);
  return line === undefined
    ? undefined
    : { text: excerpt(line, maxCharacters.error), tool: excerpt(call.name, maxCharacters.toolName) };
}

/** Errors with how often they were seen. Two that differ in numbers alone (lines, times, ports) are one. */
export function addErrors(list: Listed<LedgerError>, errors: readonly SeenError[]): Listed<LedgerError> {
  return addToList(list, errors, {
    keyOf: (error) => withoutNumbers(error.text),
    keyOfSeen: (error) => withoutNumbers(error.text),
    add: (error, seen) => ({ text: seen.text, tool: seen.tool, times: (error?.times ?? 0) + 1 }),
  });
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, "0");
}

import type { Ledger, LedgerFile, LedgerRequest, Listed } from "./ledger.ts";
import { MAX_ENTRIES, MAX_PLAN_ITEMS, maxCharacters } from "./ledger-bounds.ts";

type IsField = (value: unknown) => boolean;
/** What each field must be. */
type Fields = Readonly<Record<string, IsField>>;

/** Far above what a conversation holds, and far below where adding one is lost. */
const MAX_COUNT = 1_000_000_000;

const outcomes: readonly LedgerRequest["outcome"][] = ["open", "answered", "stopped", "failed"];
const lastUses: readonly LedgerFile["last"][] = ["read", "modify", "delete"];

const count: IsField = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT;
const exitCode: IsField = (value) => value === null || Number.isSafeInteger(value);
const flag: IsField = (value) => typeof value === "boolean";
/** On one line: a line of its own could pass for a heading of the summary. */
const line =
  (maxLength: number): IsField =>
  (value) =>
    typeof value === "string" && value.length <= maxLength && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value);
const oneOf =
  (words: readonly string[]): IsField =>
  (value) =>
    typeof value === "string" && words.includes(value);

/**
 * The ledger of an earlier record, as it was stored. Anything else than what `recent-window-ledger@3` writes, also a
 * text or a list longer than it writes one, is no ledger: it is then made anew from the transcript.
 */
export function readLedger(value: unknown): Ledger | undefined {
  return isLedger(value) ? value : undefined;
}

function isLedger(value: unknown): value is Ledger {
  return (
    isObject(value) &&
    value.version === 1 &&
    line(maxCharacters.messageId)(value.through) &&
    hasFields(value.messages, { user: count, injected: count, assistant: count, tool: count, system: count }) &&
    isList(value.requests, {
      text: line(maxCharacters.request),
      outcome: oneOf(outcomes),
      answer: line(maxCharacters.answer),
    }) &&
    isList(value.files, {
      path: line(maxCharacters.path),
      reads: count,
      modifications: count,
      last: oneOf(lastUses),
    }) &&
    isList(value.commands, {
      command: line(maxCharacters.command),
      runs: count,
      failures: count,
      lastExit: exitCode,
      lastFailed: flag,
    }) &&
    isList(value.errors, { text: line(maxCharacters.error), tool: line(maxCharacters.toolName), times: count }) &&
    Array.isArray(value.plan) &&
    value.plan.length <= MAX_PLAN_ITEMS &&
    value.plan.every(line(maxCharacters.plannedItem))
  );
}

function isList(value: unknown, fields: Fields): value is Listed<unknown> {
  return (
    isObject(value) &&
    count(value.dropped) &&
    Array.isArray(value.entries) &&
    value.entries.length <= MAX_ENTRIES &&
    value.entries.every((entry) => hasFields(entry, fields))
  );
}

function hasFields(value: unknown, fields: Fields): boolean {
  return isObject(value) && Object.entries(fields).every(([name, isField]) => isField(value[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

import type { Ledger, LedgerFile, LedgerRequest, Listed } from "./ledger.ts";

/** What a field must be: of a type, or one of some words. */
type FieldKinds = Readonly<Record<string, "string" | "number" | "number or null" | "boolean" | readonly string[]>>;

const outcomes: readonly LedgerRequest["outcome"][] = ["open", "answered", "stopped", "failed"];
const lastUses: readonly LedgerFile["last"][] = ["read", "modify"];

/**
 * The ledger of an earlier record, as it was stored. Anything else than what `recent-window-ledger@3` writes is no
 * ledger: it is then made anew from the transcript.
 */
export function readLedger(value: unknown): Ledger | undefined {
  return isLedger(value) ? value : undefined;
}

function isLedger(value: unknown): value is Ledger {
  return (
    isObject(value) &&
    value.version === 1 &&
    hasFields(value, { through: "string" }) &&
    hasFields(value.messages, { user: "number", assistant: "number", tool: "number", system: "number" }) &&
    isList(value.requests, { text: "string", outcome: outcomes, answer: "string" }) &&
    isList(value.files, { path: "string", reads: "number", modifications: "number", last: lastUses }) &&
    isList(value.commands, {
      command: "string",
      runs: "number",
      failures: "number",
      lastExit: "number or null",
      lastFailed: "boolean",
    }) &&
    isList(value.errors, { text: "string", tool: "string", times: "number" }) &&
    Array.isArray(value.plan) &&
    value.plan.every((item) => typeof item === "string")
  );
}

function isList(value: unknown, fields: FieldKinds): value is Listed<unknown> {
  return (
    hasFields(value, { dropped: "number" }) &&
    isObject(value) &&
    Array.isArray(value.entries) &&
    value.entries.every((entry) => hasFields(entry, fields))
  );
}

function hasFields(value: unknown, fields: FieldKinds): boolean {
  return (
    isObject(value) &&
    Object.entries(fields).every(([name, kind]) => {
      const field = value[name];
      if (typeof kind !== "string") return typeof field === "string" && kind.includes(field);
      return kind === "number or null" ? field === null || typeof field === "number" : typeof field === kind;
    })
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

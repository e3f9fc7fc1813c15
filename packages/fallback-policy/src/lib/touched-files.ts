import type { Message, ToolCallPart } from "@holdfast/message-schema";
import { answeredCalls } from "./answered-calls.ts";
import { fileTools1, pathArguments1, toolKey } from "./file-tools-1.ts";
import { firstGiven } from "./first-given.ts";

export interface TouchedFile {
  readonly path: string;
  readonly effect: "read" | "modify" | "delete";
}

export interface FileLists {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/**
 * The paths a range read and modified (or deleted), each once per list. Both lists are in the order of last use, newest
 * last, whatever that use was: a modified file that was read once more is the newest among the modified. A call that
 * failed or got no result used nothing.
 */
export function fileLists(messages: readonly Message[]): FileLists {
  const uses = answeredCalls(messages).flatMap(({ call, result }) => (result.isError ? [] : touchedFiles(call)));
  // A Set keeps the first place of a path, so the uses are walked from the newest.
  const byLastUse = [...new Set(uses.map(({ path }) => path).toReversed())].toReversed();
  const read = new Set(uses.flatMap(({ path, effect }) => (effect === "read" ? [path] : [])));
  const modified = new Set(uses.flatMap(({ path, effect }) => (effect === "read" ? [] : [path])));
  return {
    readFiles: byLastUse.filter((path) => read.has(path)),
    modifiedFiles: byLastUse.filter((path) => modified.has(path)),
  };
}

/** The files one call names, by the table of known tools or by a patch in its arguments. */
export function touchedFiles(call: ToolCallPart): TouchedFile[] {
  const patched = Object.values(call.arguments).flatMap(patchedFiles);
  if (patched.length > 0) return patched;
  const key = toolKey(call.name);
  // A tool may be named like a property every object has.
  const effect = Object.hasOwn(fileTools1, key) ? fileTools1[key] : undefined;
  if (effect === undefined) return [];
  const looksOnly = effect === "read" || (effect === "by-command" && call.arguments.command === "view");
  const use = effect === "delete" ? "delete" : looksOnly ? "read" : "modify";
  return namedPaths(call).map((path) => ({ path, effect: use }));
}

function namedPaths(call: ToolCallPart): string[] {
  const value = firstGiven(call, pathArguments1);
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.flatMap((item) => {
    const path: unknown = typeof item === "object" && item !== null && "path" in item ? item.path : item;
    return typeof path === "string" && isPath(path) ? [path] : [];
  });
}

const patchHeader = "*** Begin Patch";
const patchedFile = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm;

/** Files of a patch of the format that names each under `*** Update File:` and its kind. What was moved is gone. */
function patchedFiles(argument: unknown): TouchedFile[] {
  if (typeof argument !== "string" || !argument.includes(patchHeader)) return [];
  const files: TouchedFile[] = [];
  for (const [, kind, name = ""] of argument.matchAll(patchedFile)) {
    const path = name.trim();
    const moved = kind === "Move to" ? files.pop() : undefined;
    if (moved !== undefined) files.push({ path: moved.path, effect: "delete" });
    if (isPath(path)) files.push({ path, effect: kind === "Delete File" ? "delete" : "modify" });
  }
  return files;
}

/** A path stands on one line: anything else would let a call's arguments write into a list of files. */
function isPath(text: string): boolean {
  return text.trim() !== "" && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

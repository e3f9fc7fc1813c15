import type { Message, ToolCallPart } from "@holdfast/message-schema";
import { answeredCalls } from "./answered-calls.ts";
import { fileTools1, pathArguments1, toolKey } from "./file-tools-1.ts";

export interface TouchedFile {
  readonly path: string;
  readonly effect: "read" | "modify";
}

export interface FileLists {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/**
 * The paths a range read and modified, each once per list, in the order of last use, newest last. A call that failed
 * or got no result used nothing.
 */
export function fileLists(messages: readonly Message[]): FileLists {
  const uses = answeredCalls(messages).flatMap(({ call, result }) => (result.isError ? [] : touchedFiles(call)));
  const paths = (effect: TouchedFile["effect"]) =>
    [
      ...new Set(
        uses
          .filter((use) => use.effect === effect)
          .map((use) => use.path)
          .toReversed(),
      ),
    ].toReversed();
  return { readFiles: paths("read"), modifiedFiles: paths("modify") };
}

/** The files one call names, by the table of known tools or by a patch in its arguments. */
export function touchedFiles(call: ToolCallPart): TouchedFile[] {
  const patched = Object.values(call.arguments).flatMap(patchedPaths);
  if (patched.length > 0) return patched.map((path) => ({ path, effect: "modify" }));
  const key = toolKey(call.name);
  // A tool may be named like a property every object has.
  const effect = Object.hasOwn(fileTools1, key) ? fileTools1[key] : undefined;
  if (effect === undefined) return [];
  const looksOnly = effect === "read" || (effect === "by-command" && call.arguments.command === "view");
  return namedPaths(call).map((path) => ({ path, effect: looksOnly ? "read" : "modify" }));
}

function namedPaths(call: ToolCallPart): string[] {
  const name = pathArguments1.find((argument) => call.arguments[argument] !== undefined);
  const value: unknown = name === undefined ? undefined : call.arguments[name];
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.flatMap((item) => {
    const path: unknown = typeof item === "object" && item !== null && "path" in item ? item.path : item;
    return typeof path === "string" && isPath(path) ? [path] : [];
  });
}

const patchHeader = "*** Begin Patch";
const patchedFile = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** Paths in a patch of the format whose files stand under `*** Update File:` and its kind. */
function patchedPaths(argument: unknown): string[] {
  if (typeof argument !== "string" || !argument.includes(patchHeader)) return [];
  return [...argument.matchAll(patchedFile)].map((match) => (match[1] ?? "").trim()).filter(isPath);
}

/** A path stands on one line: anything else would let a call's arguments write into a list of files. */
function isPath(text: string): boolean {
  return text.trim() !== "" && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

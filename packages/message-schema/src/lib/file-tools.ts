import type { ToolCallPart } from "./parts.ts";

/** A tool whose calls read or modify files, and where its arguments say which. */
export interface FileTool {
  readonly name: string;
  readonly access: "read" | "modify";
  /** Arguments that hold a path, or a list of paths. */
  readonly pathArguments?: readonly string[] | undefined;
  /** Arguments that hold a patch in the `*** Update File:` format. */
  readonly patchArguments?: readonly string[] | undefined;
}

export interface ToolCallFiles {
  readonly read: readonly string[];
  readonly modified: readonly string[];
}

const PATHS = ["path", "file_path", "filePath", "absolute_path"];
const PATCHES = ["input", "patch", "patchText"];

/**
 * The file tools of pi, Claude Code, Codex, opencode and Gemini CLI. Names are compared as written: `read` and `Read` are two
 * tools. Shell commands are not parsed: what they touch is not known.
 */
export const knownFileTools: readonly FileTool[] = [
  { name: "read", access: "read", pathArguments: PATHS },
  { name: "Read", access: "read", pathArguments: PATHS },
  { name: "read_file", access: "read", pathArguments: PATHS },
  { name: "NotebookRead", access: "read", pathArguments: ["notebook_path"] },
  { name: "view_image", access: "read", pathArguments: PATHS },
  { name: "write", access: "modify", pathArguments: PATHS },
  { name: "Write", access: "modify", pathArguments: PATHS },
  { name: "write_file", access: "modify", pathArguments: PATHS },
  { name: "edit", access: "modify", pathArguments: PATHS },
  { name: "Edit", access: "modify", pathArguments: PATHS },
  { name: "replace", access: "modify", pathArguments: PATHS },
  { name: "multiedit", access: "modify", pathArguments: PATHS },
  { name: "MultiEdit", access: "modify", pathArguments: PATHS },
  { name: "NotebookEdit", access: "modify", pathArguments: ["notebook_path"] },
  { name: "patch", access: "modify", patchArguments: PATCHES },
  { name: "apply_patch", access: "modify", patchArguments: PATCHES },
];

/** The paths a call names, in its own order. A tool that is not in `tools`, or arguments of another form, name none. */
export function toolCallFiles(call: ToolCallPart, tools: readonly FileTool[] = knownFileTools): ToolCallFiles {
  const read: string[] = [];
  const modified: string[] = [];
  for (const tool of tools) {
    if (tool.name !== call.name) continue;
    const paths = tool.access === "read" ? read : modified;
    for (const argument of tool.pathArguments ?? []) paths.push(...pathsIn(call.arguments[argument]));
    for (const argument of tool.patchArguments ?? []) paths.push(...pathsInPatch(call.arguments[argument]));
  }
  return { read, modified };
}

function pathsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => pathsIn(item));
  return typeof value === "string" && isPath(value) ? [value] : [];
}

const patchHeader = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

function pathsInPatch(value: unknown): readonly string[] {
  if (typeof value !== "string") return [];
  return [...value.matchAll(patchHeader)].flatMap(([, path]) => pathsIn(path?.trimEnd()));
}

/** A path stands on one line: anything else in its place would let a call's arguments write into a list of files. */
function isPath(text: string): boolean {
  return text.trim() !== "" && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

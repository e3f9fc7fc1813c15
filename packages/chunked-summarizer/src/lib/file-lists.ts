import type { AssistantMessage, Message } from "@holdfast/message-schema";
import { type FileTool, type ToolCallFiles, toolCallFiles } from "@holdfast/message-schema/tools";
import { breakMarks } from "./break-marks.ts";
import { escapeFences } from "./fence.ts";
import type { SummaryLimits } from "./summary-limits.ts";
import type { FileLists } from "./summary-result.ts";

/** Above the list in a stored summary. */
export const FILES_HEADING = "## Files";

interface PendingCall {
  readonly id: string;
  readonly paths: ToolCallFiles;
  /** Whether its message was given up: then only a result shows that it ran. */
  readonly wasDiscarded: boolean;
}

interface TouchedFiles {
  readonly read: Set<string>;
  readonly modified: Set<string>;
  /** Those of both, in the order of last use. */
  readonly used: Set<string>;
}

/**
 * The files that the tool calls of the range name, each path once in each list. Both lists are in the order of last use
 * of either kind: a file that was modified long ago and has just been read is the newest of both. A call that failed, or that
 * a discarded assistant message left without a result, touched nothing.
 */
export function collectFiles(messages: readonly Message[], tools?: readonly FileTool[]): FileLists {
  const files: TouchedFiles = { read: new Set(), modified: new Set(), used: new Set() };
  let pending: PendingCall[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      settleUnanswered(pending, files);
      pending = callsOf(message, tools);
    } else if (message.role === "toolResult") {
      const answered = pending.findIndex((call) => call.id === message.toolCallId);
      const [call] = answered < 0 ? [] : pending.splice(answered, 1);
      if (call !== undefined && !message.isError) settle(call, files);
    }
  }
  settleUnanswered(pending, files);
  const used = [...files.used];
  return {
    readFiles: used.filter((path) => files.read.has(path)),
    modifiedFiles: used.filter((path) => files.modified.has(path)),
  };
}

const discarded: ReadonlySet<AssistantMessage["stopReason"]> = new Set(["error", "aborted", "deferred"]);

function callsOf(message: AssistantMessage, tools: readonly FileTool[] | undefined): PendingCall[] {
  const wasDiscarded = discarded.has(message.stopReason);
  const calls = message.content.filter((part) => part.type === "toolCall");
  return calls.map((call) => ({ id: call.id, paths: toolCallFiles(call, tools), wasDiscarded }));
}

function settleUnanswered(calls: readonly PendingCall[], files: TouchedFiles): void {
  for (const call of calls) if (!call.wasDiscarded) settle(call, files);
}

function settle({ paths }: PendingCall, files: TouchedFiles): void {
  for (const path of paths.read) use(path, "read", files);
  for (const path of paths.modified) use(path, "modified", files);
}

function use(path: string, kind: "read" | "modified", files: TouchedFiles): void {
  const wellFormed = path.toWellFormed();
  files[kind].add(wellFormed);
  files.used.delete(wellFormed);
  files.used.add(wellFormed);
}

interface RenderFilesOptions {
  readonly counter: { countText(text: string): number };
  readonly maxTokens: number;
  readonly reservedMarks?: readonly string[] | undefined;
}

/**
 * The lists as text, newest first, a path once: modified files before those that were only read. What does not fit, so
 * also a single path that is too long, becomes "and n more". Empty when there is no file or no room for one. Paths are
 * text from outside: the marks of fences and those that are reserved are broken.
 */
export function renderFiles({ readFiles, modifiedFiles }: FileLists, options: RenderFilesOptions): string {
  const { counter, maxTokens, reservedMarks = [] } = options;
  const isModified = new Set(modifiedFiles);
  const lines = [
    ...modifiedFiles.toReversed().map((path) => `- modified: ${path}`),
    ...readFiles
      .filter((path) => !isModified.has(path))
      .toReversed()
      .map((path) => `- read: ${path}`),
  ].map((line) => breakMarks(escapeFences(line), reservedMarks));
  const all = lines.join("\n");
  if (counter.countText(all) <= maxTokens) return all;
  // Lines add up: they are cut where a line starts.
  const more = (count: number) => `- and ${count} more`;
  let tokensLeft = maxTokens - counter.countText(more(lines.length));
  const shown: string[] = [];
  for (const line of lines) {
    if (tokensLeft <= 0) break;
    const tokens = counter.countText(`${line}\n`);
    if (tokens > tokensLeft) continue;
    tokensLeft -= tokens;
    shown.push(line);
  }
  return shown.length === 0 ? "" : [...shown, more(lines.length - shown.length)].join("\n");
}

interface AppendFilesOptions {
  readonly counter: { countText(text: string): number };
  readonly limits: SummaryLimits;
  readonly reservedMarks?: readonly string[] | undefined;
}

/** The summary as it is stored: with the list of files below it, as far as the bound of a stored summary allows. */
export function appendFiles(summary: string, files: FileLists, options: AppendFilesOptions): string {
  const { counter, limits, reservedMarks } = options;
  const headed = `${summary}\n\n${FILES_HEADING}\n\n`;
  const maxTokens = Math.min(limits.fileListMax, limits.maxOutputTokens - counter.countText(headed));
  const list = renderFiles(files, { counter, maxTokens, reservedMarks });
  return list === "" ? summary : headed + list;
}

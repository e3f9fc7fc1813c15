import type { AssistantMessage, Message } from "@holdfast/message-schema";
import { type FileTool, toolCallFiles } from "@holdfast/message-schema/tools";
import { escapeFences } from "./fence.ts";
import type { SummaryLimits } from "./summary-limits.ts";
import type { FileLists } from "./summary-result.ts";

/** Above the list in a stored summary. */
export const FILES_HEADING = "## Files";

interface PendingCall {
  readonly id: string;
  readonly read: readonly string[];
  readonly modified: readonly string[];
  /** Whether its message was given up: then only a result shows that it ran. */
  readonly wasDiscarded: boolean;
}

interface TouchedFiles {
  readonly read: Set<string>;
  readonly modified: Set<string>;
}

/**
 * The files that the tool calls of the range name, each path once in each list, in the order of last use. A call that
 * failed, or that a discarded assistant message left without a result, touched nothing.
 */
export function collectFiles(messages: readonly Message[], tools?: readonly FileTool[]): FileLists {
  const files: TouchedFiles = { read: new Set(), modified: new Set() };
  let pending: PendingCall[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      settleUnanswered(pending, files);
      pending = callsOf(message, tools);
      continue;
    }
    if (message.role !== "toolResult") continue;
    const answered = pending.findIndex((call) => call.id === message.toolCallId);
    const [call] = answered < 0 ? [] : pending.splice(answered, 1);
    if (call !== undefined && !message.isError) settle(call, files);
  }
  settleUnanswered(pending, files);
  return { readFiles: [...files.read], modifiedFiles: [...files.modified] };
}

function callsOf(message: AssistantMessage, tools: readonly FileTool[] | undefined): PendingCall[] {
  const wasDiscarded = message.stopReason === "error" || message.stopReason === "aborted";
  const calls = message.content.filter((part) => part.type === "toolCall");
  return calls.map((call) => ({ id: call.id, ...toolCallFiles(call, tools), wasDiscarded }));
}

function settleUnanswered(calls: readonly PendingCall[], files: TouchedFiles): void {
  for (const call of calls) if (!call.wasDiscarded) settle(call, files);
}

function settle(call: PendingCall, files: TouchedFiles): void {
  for (const path of call.read) use(files.read, path);
  for (const path of call.modified) use(files.modified, path);
}

function use(paths: Set<string>, path: string): void {
  paths.delete(path);
  paths.add(path);
}

/**
 * The lists as text, newest first, a path once: modified files before those that were only read. What does not fit
 * becomes "and n more". Empty when there is no file or no room for the first one.
 */
export function renderFiles(
  { readFiles, modifiedFiles }: FileLists,
  { counter, maxTokens }: { readonly counter: { countText(text: string): number }; readonly maxTokens: number },
): string {
  const isModified = new Set(modifiedFiles);
  const lines = [
    ...modifiedFiles.toReversed().map((path) => `- modified: ${escapeFences(path)}`),
    ...readFiles
      .filter((path) => !isModified.has(path))
      .toReversed()
      .map((path) => `- read: ${escapeFences(path)}`),
  ];
  const text = (shown: number) =>
    [...lines.slice(0, shown), ...(shown < lines.length ? [`- and ${lines.length - shown} more`] : [])].join("\n");
  // Longer lists cost more, so the most that fits is found by halving.
  let fits = 0;
  for (let low = 1, high = lines.length; low <= high; ) {
    const middle = (low + high) >> 1;
    if (counter.countText(text(middle)) <= maxTokens) {
      fits = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return fits === 0 ? "" : text(fits);
}

/** The summary as it is stored: with the list of files below it, as far as the bound of a stored summary allows. */
export function appendFiles(
  summary: string,
  files: FileLists,
  { counter, limits }: { readonly counter: { countText(text: string): number }; readonly limits: SummaryLimits },
): string {
  const headed = `${summary}\n\n${FILES_HEADING}\n\n`;
  const maxTokens = Math.min(limits.fileListMax, limits.maxOutputTokens - counter.countText(headed));
  const list = renderFiles(files, { counter, maxTokens });
  return list === "" ? summary : headed + list;
}

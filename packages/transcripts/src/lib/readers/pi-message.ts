import type { AssistantContentPart, StopReason, Usage, UserContentPart } from "@holdfast/message-schema";
import { type MessageDraft, positionId } from "../conversation-builder.ts";
import {
  amount,
  isObject,
  type JsonObject,
  label,
  list,
  moment,
  nonEmpty,
  property,
  quote,
  text,
  withFields,
} from "../json-value.ts";
import type { ReadReport } from "../transcript-reader.ts";

/** Where an entry stands in the file. */
export interface EntryPlace {
  readonly line: number;
  readonly ordinal: number;
}

/** The message of a `message` entry; unknown fields stay on it. `undefined` when it is not part of the conversation. */
export function piMessageDraft(entry: JsonObject, place: EntryPlace, report: ReadReport): MessageDraft | undefined {
  const { line } = place;
  const message = property(entry, "message");
  if (!isObject(message)) {
    report.note({ line, problem: "a message entry without a message", action: "set aside" });
    return undefined;
  }
  const id = nonEmpty(entry.id) ?? positionId(place.ordinal);
  const timestamp = moment(message.timestamp) ?? moment(entry.timestamp);
  const origin =
    "origin" in message ? { origin: message.origin === "injected" ? ("injected" as const) : undefined } : {};
  switch (message.role) {
    case "user":
      return withFields(message, { id, timestamp, role: "user", content: userContent(message.content), ...origin });
    case "assistant":
      return assistantDraft(message, { id, timestamp });
    case "toolResult":
      return withFields(message, {
        id,
        timestamp,
        role: "toolResult",
        toolCallId: text(message.toolCallId) ?? "",
        toolName: text(message.toolName) ?? "unknown",
        content: partsOf(message.content).map(userPart),
        isError: message.isError === true,
      });
    case "bashExecution": {
      if (message.excludeFromContext === true) return undefined;
      const content: UserContentPart[] = [{ type: "text", text: bashText(message) }];
      return withFields(message, { id, timestamp, role: "user", origin: "injected", content });
    }
    case "custom":
    case "hookMessage":
      return withFields(message, {
        id,
        timestamp,
        role: "user",
        origin: "injected",
        content: userContent(message.content),
      });
    default:
      report.note({ line, problem: `the unknown role ${quote(message.role)}`, action: "set aside" });
      return undefined;
  }
}

/** What an extension put into the conversation. */
export function customMessageDraft(entry: JsonObject, place: EntryPlace, report: ReadReport): MessageDraft | undefined {
  if (typeof entry.content !== "string" && !Array.isArray(entry.content)) {
    report.note({ line: place.line, problem: "a custom message without content", action: "set aside" });
    return undefined;
  }
  const { type: _, parentId: __, ...kept } = entry;
  return {
    ...kept,
    timestamp: moment(entry.timestamp),
    role: "user",
    origin: "injected",
    content: userContent(entry.content),
  };
}

/** The summary of a branch that was left, in the words pi sends it in. */
export function branchSummaryDraft(entry: JsonObject): MessageDraft | undefined {
  const summary = nonEmpty(property(entry, "summary"));
  if (summary === undefined) return undefined;
  const opening = "The following is a summary of a branch that this conversation came back from:";
  return {
    id: property(entry, "id"),
    timestamp: moment(entry.timestamp),
    role: "user",
    origin: "injected",
    content: [{ type: "text", text: `${opening}\n\n<summary>\n${summary}</summary>` }],
  };
}

function assistantDraft(message: JsonObject, common: { id: unknown; timestamp?: number | undefined }): MessageDraft {
  const content = partsOf(message.content).map(assistantPart);
  const known = stopReasonOf(message.stopReason);
  const draft = {
    id: common.id,
    role: "assistant" as const,
    content,
    stopReason: known ?? (content.some((part) => part.type === "toolCall") ? "toolUse" : "stop"),
    usage: usageOf(message.usage),
    provider: text(message.provider),
    model: text(message.model),
    timestamp: common.timestamp,
  };
  const isForeign = known === undefined && message.stopReason !== undefined;
  return withFields(message, isForeign ? { ...draft, originalStopReason: message.stopReason } : draft);
}

const stopReasons: ReadonlySet<unknown> = new Set<StopReason>([
  "stop",
  "toolUse",
  "length",
  "error",
  "aborted",
  "deferred",
  "refusal",
]);

function stopReasonOf(value: unknown): StopReason | undefined {
  return stopReasons.has(value) ? (value as StopReason) : undefined;
}

function usageOf(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const input = amount(value.input);
  const output = amount(value.output);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = amount(value.cacheRead) ?? 0;
  const cacheWrite = amount(value.cacheWrite) ?? 0;
  const reported = amount(value.totalTokens);
  if (reported !== undefined && value.cacheRead === cacheRead && value.cacheWrite === cacheWrite) {
    return value as unknown as Usage;
  }
  const totalTokens = reported ?? input + output + cacheRead + cacheWrite;
  return { ...value, input, output, cacheRead, cacheWrite, totalTokens };
}

/** Text stands alone or in a list of parts. */
function partsOf(content: unknown): readonly unknown[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : list(content);
}

function userContent(content: unknown): string | UserContentPart[] {
  return typeof content === "string" ? content : list(content).map(userPart);
}

function userPart(part: unknown): UserContentPart {
  if (isObject(part)) {
    if (part.type === "text" && typeof part.text === "string") return part as unknown as UserContentPart;
    if (part.type === "image" && typeof part.data === "string" && typeof part.mimeType === "string") {
      return part as unknown as UserContentPart;
    }
  }
  return { type: "opaque", value: part };
}

function assistantPart(part: unknown): AssistantContentPart {
  if (!isObject(part)) return { type: "opaque", value: part };
  switch (part.type) {
    case "text":
      if (typeof part.text === "string") return part as unknown as AssistantContentPart;
      break;
    case "thinking":
      if (typeof part.thinking === "string") return thinkingPart(part, part.thinking);
      break;
    case "toolCall":
      if (typeof part.id === "string" && typeof part.name === "string" && isObject(part.arguments)) {
        return part as unknown as AssistantContentPart;
      }
      break;
  }
  return { type: "opaque", value: part };
}

function thinkingPart(part: JsonObject, thinking: string): AssistantContentPart {
  const { thinkingSignature, ...rest } = part;
  const signature = typeof thinkingSignature === "string" ? { signature: thinkingSignature } : {};
  return { ...rest, type: "thinking", thinking, ...signature };
}

/** A command the user ran himself, in the words pi sends it in. */
function bashText(message: JsonObject): string {
  const output = nonEmpty(message.output);
  let text = `Ran \`${label(message.command)}\`\n${output === undefined ? "(no output)" : `\`\`\`\n${output}\n\`\`\``}`;
  if (message.cancelled === true) text += "\n\n(command cancelled)";
  else if (typeof message.exitCode === "number" && message.exitCode !== 0) {
    text += `\n\nCommand exited with code ${message.exitCode}`;
  }
  const fullOutputPath = nonEmpty(message.fullOutputPath);
  if (message.truncated === true && fullOutputPath) {
    text += `\n\n[Output truncated. Full output: ${fullOutputPath}]`;
  }
  return text;
}

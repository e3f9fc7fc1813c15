import type { AssistantContentPart, StopReason, Usage, UserContentPart } from "@holdfast/message-schema";
import { callArguments } from "../call-arguments.ts";
import type { ConversationBuilder } from "../conversation-builder.ts";
import { dataUrlImage } from "../data-url.ts";
import { amount, isObject, type JsonObject, list, nonEmpty, property, quote, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import { resultParts } from "../result-parts.ts";
import type { ReadReport } from "../transcript-reader.ts";

/** A `tool` part once its call has the id it goes by here. */
export interface ToolPart {
  readonly callId: string;
  readonly part: JsonObject;
  /** When opencode cleared the output for the model. */
  readonly prunedAt: number | undefined;
}

/** Parts about the work tree and the bookkeeping of a step. */
const silentParts: ReadonlySet<unknown> = new Set(["step-start", "step-finish", "patch", "snapshot", "retry"]);

/** Adds the message and the results of its calls; returns its tool parts. */
export function addOpencodeMessage(
  builder: ConversationBuilder,
  message: unknown,
  ordinal: number,
  report: ReadReport,
): readonly ToolPart[] {
  const info = property(message, "info");
  const parts = list(property(message, "parts")).filter(isObject);
  if (!isObject(info)) return [];
  const said = parts.filter((part) => !silentParts.has(part.type));
  switch (info.role) {
    case "user":
      addUser(builder, info, said, ordinal);
      return [];
    case "assistant":
      return addAssistant(builder, info, said, ordinal);
    default:
      report.note({
        problem: `message ${ordinal} has the unknown role ${quote(info.role)}`,
        action: "set aside",
      });
      return [];
  }
}

function addUser(builder: ConversationBuilder, info: JsonObject, parts: readonly JsonObject[], ordinal: number): void {
  const isSynthetic = parts.every((part) => part.synthetic === true || part.type === "compaction");
  builder.add(
    {
      id: info.id,
      role: "user",
      content: parts.map(userPart),
      ...(isSynthetic ? { origin: "injected" } : {}),
      ...present({ timestamp: amount(property(info.time, "created")) }),
    },
    ordinal,
  );
}

function userPart(part: JsonObject): UserContentPart {
  if (part.type === "text" && typeof part.text === "string") return { type: "text", text: part.text };
  return (part.type === "file" ? dataUrlImage(part.url) : undefined) ?? { type: "opaque", value: part };
}

function addAssistant(
  builder: ConversationBuilder,
  info: JsonObject,
  parts: readonly JsonObject[],
  ordinal: number,
): readonly ToolPart[] {
  const tools: ToolPart[] = [];
  const callIds = new Set<string>();
  const content = parts.map((part): AssistantContentPart => {
    if (part.type === "text" && typeof part.text === "string") return { type: "text", text: part.text };
    if (part.type === "reasoning" && typeof part.text === "string") return reasoningPart(part, part.text);
    if (part.type !== "tool") return { type: "opaque", value: part };
    const callId = nonEmpty(part.callID);
    const isRepeated = callId !== undefined && callIds.has(callId);
    const name = nonEmpty(part.tool) ?? "unknown";
    const id = builder.calls.ask({ name, id: isRepeated ? undefined : callId });
    callIds.add(id);
    tools.push({ callId: id, part, prunedAt: amount(property(property(part.state, "time"), "compacted")) });
    const original = isRepeated ? { originalId: callId } : {};
    return { type: "toolCall", id, name, ...original, ...callArguments(property(part.state, "input")) };
  });
  builder.add(
    {
      id: info.id,
      role: "assistant",
      content,
      stopReason: stopReasonOf(info, tools.length > 0),
      ...present({
        errorMessage: text(property(property(info.error, "data"), "message")),
        usage: usageOf(info.tokens),
        provider: nonEmpty(info.providerID),
        model: nonEmpty(info.modelID),
        timestamp: amount(property(info.time, "created")),
      }),
    },
    ordinal,
  );
  if (info.summary === true) builder.compaction(summaryRecord(builder.length, content));
  for (const tool of tools) addResult(builder, tool, ordinal);
  return tools;
}

/** A pending or running tool has no result: its call stays unanswered. */
function addResult(builder: ConversationBuilder, { callId, part }: ToolPart, ordinal: number): void {
  const status = property(part.state, "status");
  if (status !== "completed" && status !== "error") return;
  const isError = status === "error";
  builder.add(
    {
      role: "toolResult",
      ...builder.calls.answer({ id: callId }),
      content: resultParts(property(part.state, isError ? "error" : "output")),
      isError,
      ...present({ timestamp: amount(property(property(part.state, "time"), "end")) }),
    },
    ordinal,
  );
}

function reasoningPart(part: JsonObject, thinking: string): AssistantContentPart {
  return { type: "thinking", thinking, ...(isObject(part.metadata) ? { metadata: part.metadata } : {}) };
}

function summaryRecord(at: number, content: readonly AssistantContentPart[]) {
  const summary = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { at, summary: nonEmpty(summary) ?? null, replaces: "prefix" as const };
}

function stopReasonOf(info: JsonObject, hasCalls: boolean): StopReason {
  if (isObject(info.error)) {
    if (info.error.name === "MessageAbortedError") return "aborted";
    return info.error.name === "MessageOutputLengthError" ? "length" : "error";
  }
  if (info.finish === "length") return "length";
  if (info.finish === "content-filter") return "refusal";
  return hasCalls ? "toolUse" : "stop";
}

function usageOf(tokens: unknown): Usage | undefined {
  const input = amount(property(tokens, "input"));
  const written = amount(property(tokens, "output"));
  if (input === undefined || written === undefined) return undefined;
  const cacheRead = amount(property(property(tokens, "cache"), "read")) ?? 0;
  const cacheWrite = amount(property(property(tokens, "cache"), "write")) ?? 0;
  const totalTokens = amount(property(tokens, "total")) ?? input + written + cacheRead + cacheWrite;
  return { input, output: written, cacheRead, cacheWrite, totalTokens };
}

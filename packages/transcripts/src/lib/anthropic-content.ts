import type {
  AssistantContentPart,
  StopReason,
  ToolResultContentPart,
  UserContentPart,
} from "@holdfast/message-schema";
import { callArguments } from "./call-arguments.ts";
import type { CallLedger } from "./call-ledger.ts";
import { isObject, type JsonObject, list, nonEmpty, text } from "./json-value.ts";

/** A content block that answers a call. */
export interface ResultBlock {
  readonly kind: "result";
  readonly toolUseId: string | undefined;
  readonly name: string | undefined;
  readonly content: readonly ToolResultContentPart[];
  readonly isError: boolean;
}

/** Neighbouring content blocks that are no results. */
export interface UserBlocks {
  readonly kind: "user";
  readonly content: string | readonly UserContentPart[];
}

/** A user message's content, its results told apart from what the user said, in order. */
export function splitUserContent(content: unknown): readonly (ResultBlock | UserBlocks)[] {
  if (typeof content === "string") return [{ kind: "user", content }];
  const pieces: (ResultBlock | { kind: "user"; content: UserContentPart[] })[] = [];
  for (const block of list(content)) {
    if (isObject(block) && block.type === "tool_result") {
      pieces.push({
        kind: "result",
        toolUseId: nonEmpty(block.tool_use_id),
        name: nonEmpty(block.name),
        content: resultContent(block.content),
        isError: block.is_error === true,
      });
      continue;
    }
    const last = pieces.at(-1);
    if (last?.kind === "user") last.content.push(userPart(block));
    else pieces.push({ kind: "user", content: [userPart(block)] });
  }
  return pieces;
}

function resultContent(content: unknown): readonly ToolResultContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  // Cline gives lists of bare objects; the model reads them as JSON.
  return list(content).map((block) => {
    const isBlock = isObject(block) && typeof block.type === "string";
    return isBlock ? userPart(block) : { type: "text", text: JSON.stringify(block) };
  });
}

function userPart(block: unknown): UserContentPart {
  if (isObject(block)) {
    if (block.type === "text" && typeof block.text === "string") return block as unknown as UserContentPart;
    if (block.type === "image" && isObject(block.source) && block.source.type === "base64") {
      const { type: _, source, ...rest } = block;
      const data = text(block.source.data);
      const mimeType = text(block.source.media_type);
      if (data !== undefined && mimeType !== undefined) return { ...rest, type: "image", data, mimeType };
    }
    // Cline's own block: a file whose text the model reads.
    if (block.type === "file" && typeof block.content === "string") {
      const { content, ...rest } = block;
      return { ...rest, type: "text", text: block.content };
    }
  }
  return { type: "opaque", value: block };
}

/** Assistant content; its calls are entered in `calls`. */
export function assistantParts(content: unknown, calls: CallLedger): readonly AssistantContentPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return list(content).map((block) => assistantPart(block, calls));
}

function assistantPart(block: unknown, calls: CallLedger): AssistantContentPart {
  if (!isObject(block)) return { type: "opaque", value: block };
  switch (block.type) {
    case "text":
      if (typeof block.text === "string") return block as unknown as AssistantContentPart;
      break;
    case "thinking":
      if (isThinking(block)) return block as unknown as AssistantContentPart;
      break;
    case "tool_use": {
      const name = nonEmpty(block.name);
      if (name === undefined) break;
      const { input, ...rest } = block;
      const id = calls.ask({ name, id: nonEmpty(block.id) });
      return { ...rest, type: "toolCall", id, name, ...callArguments(input) };
    }
  }
  return { type: "opaque", value: block };
}

function isThinking({ thinking, signature }: JsonObject): boolean {
  return typeof thinking === "string" && (signature === undefined || typeof signature === "string");
}

/** What Anthropic's `stop_reason` means here; without one the content decides. */
export function anthropicStopReason(reason: unknown, content: readonly AssistantContentPart[]): StopReason {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
    case "pause_turn":
      return "stop";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "refusal";
    default:
      return content.some((part) => part.type === "toolCall") ? "toolUse" : "stop";
  }
}

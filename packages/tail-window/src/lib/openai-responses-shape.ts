import { isBlank, noOutput } from "./blank.ts";
import { editJson } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { withFields } from "./same.ts";
import { type EditTexts, shortenTexts } from "./shorten-texts.ts";

interface ContentPart {
  readonly type: string;
  readonly text?: string;
}

/** What the shape reads of an item of the Responses API, of the input or the output. */
export interface ResponseItem {
  readonly type?: string | null;
  readonly role?: string;
  readonly content?: unknown;
  readonly id?: string | null;
  readonly call_id?: string | null;
  readonly approval_request_id?: string | null;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly status?: string | null;
}

/** The id under which the item waits for its result: tools that OpenAI runs itself have none. */
const callIdOf = ({ type, id, call_id: callId }: ResponseItem): string | undefined => {
  if (type === "mcp_approval_request") return id ?? undefined;
  return type?.endsWith("_call") || type === "program" ? (callId ?? undefined) : undefined;
};

const resultIdOf = ({
  type,
  id,
  call_id: callId,
  approval_request_id: requestId,
}: ResponseItem): string | undefined => {
  if (type === "mcp_approval_response") return requestId ?? undefined;
  return type?.endsWith("_output")
    ? (callId ?? (type === "local_shell_call_output" ? id : undefined) ?? undefined)
    : undefined;
};

const partsOf = ({ content }: ResponseItem): readonly ContentPart[] => (Array.isArray(content) ? content : []);
const isText = ({ type }: ContentPart): boolean => type === "input_text" || type === "output_text" || type === "text";
const isBlankText = (part: ContentPart): boolean => isText(part) && isBlank(part.text);

const editTexts: EditTexts<ResponseItem> = (item, edit) => {
  const editParts = (parts: readonly ContentPart[], isResult: boolean) =>
    parts.map((part) => {
      const place = isResult ? "result" : "text";
      if (isText(part)) return withFields(part, { text: edit(place, part.text ?? "") });
      if (!part.type.startsWith("input_")) return part;
      const text = edit(isResult ? "resultPicture" : "picture", "");
      return text === "" ? part : { type: "input_text", text };
    });
  const { content, output, input, arguments: args } = item;
  if (resultIdOf(item) !== undefined) {
    if (typeof output === "string") return withFields(item, { output: edit("result", output) });
    return Array.isArray(output) ? withFields(item, { output: editParts(output, true) }) : item;
  }
  if (callIdOf(item) !== undefined) {
    return withFields(item, {
      arguments: typeof args === "string" ? editJson(args, (text) => edit("argument", text)) : args,
      input: typeof input === "string" ? edit("argument", input) : input,
    });
  }
  if (item.role === undefined) return item;
  if (typeof content === "string") return withFields(item, { content: edit("text", content) });
  return Array.isArray(content) ? withFields(item, { content: editParts(content, false) }) : item;
};

/**
 * Items of OpenAI's Responses API. What one response put out stands in several items in a row: a reasoning item, its
 * calls, its message. They stay together, because the provider refuses one without the other.
 */
export const shape: ShapeOf<ResponseItem> = {
  role(item) {
    const { role } = item;
    if (role !== undefined) return role === "developer" ? "system" : (role as MessageRole);
    if (resultIdOf(item) !== undefined) return "tool";
    return item.type === "compaction_trigger" ? "user" : "assistant";
  },
  toolCallIds: (item) => [callIdOf(item) ?? []].flat(),
  toolResultIds: (item) => [resultIdOf(item) ?? []].flat(),
  isDiscarded: (item) => item.status === "incomplete" && callIdOf(item) !== undefined,
  isEmpty(item) {
    if (item.type === "reasoning") return true;
    if (item.role === undefined || item.type === "additional_tools") return false;
    return typeof item.content === "string" ? isBlank(item.content) : partsOf(item).every(isBlankText);
  },
  isRequest: ({ role }) => role === "user",
  joinsNext: (item) => shape.role(item) === "assistant" && (item.type === "reasoning" || !shape.isEmpty(item)),
  shorten: (item, maxTokens, countTokens) => shortenTexts(item, maxTokens, countTokens, editTexts),
  // An item with an id is looked up with the reasoning that led to it, and refused without it.
  withoutReasoning: (item) => (item.type === "reasoning" ? undefined : withFields(item, { id: undefined })),
  withoutBlankText(item) {
    const { content, output } = item;
    if (resultIdOf(item) !== undefined) {
      return isSilent(output) ? withFields(item, { output: noOutput }) : item;
    }
    return Array.isArray(content) ? withFields(item, { content: content.filter((part) => !isBlankText(part)) }) : item;
  },
};

const isSilent = (output: unknown): boolean =>
  typeof output === "string" ? isBlank(output) : Array.isArray(output) && output.every(isBlankText);
